import DeepLinkCatalog
import Foundation
import WaymarkCommands

/// A version of a file whose inode is kept open, so that no other file gets its number, and a replaced file is
/// distinguishable from one written in place.
final class HeldFile: Sendable {
    /// `O_PATH` of open(2), which opens pipes and devices without waiting for them.
    ///
    /// The C library's module lacks it.
    private static let nameOnly: Int32 = 0o10_000_000

    private let descriptor: Int32

    /// The version when the file was opened.
    let stamp: FileStamp

    /// Opens a file without the right to read it, or returns `nil` if it doesn't exist.
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
