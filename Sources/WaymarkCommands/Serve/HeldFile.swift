import DeepLinkCatalog
import Foundation

/// A version of a file that is kept from vanishing: while it is held, no other file gets its number, by which one that was
/// replaced is told from one that was written in place.
final class HeldFile: Sendable {
    /// `O_PATH` of open(2), which opens pipes and devices without waiting for them; the C library's module leaves it out.
    private static let nameOnly: Int32 = 0o10_000_000

    private let descriptor: Int32

    /// The version that was there when the file was taken hold of.
    let stamp: FileStamp

    /// Takes hold of a file, without a right to read it; `nil` where there is none.
    init?(path: String) {
        let descriptor = open(path, Self.nameOnly | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let stamp = FileStamp(descriptor: descriptor) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.stamp = stamp
    }

    deinit { close(descriptor) }
}
