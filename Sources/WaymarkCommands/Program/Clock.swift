import DeepLinkCore
import Foundation

/// The system's clock.
enum Clock {
    /// Returns the present moment, in milliseconds.
    static let now: @Sendable () -> Timestamp = {
        Timestamp(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
