import DeepLinkCore
import Foundation

/// Reads the system's clock.
enum Clock {
    /// The present moment, in milliseconds.
    static func now() -> Timestamp {
        Timestamp(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
