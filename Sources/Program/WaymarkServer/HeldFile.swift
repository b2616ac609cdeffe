import DeepLinkCatalog
import Foundation
import WaymarkCommands

/// A version of a file whose inode is kept: while it is held, no other file gets its number, so a replaced file is
/// distinguishable from one written in place.
final class HeldFile: Sendable {
    /// `O_PATH` of open(2), which opens pipes and devices without waiting for them; the C library's module lacks it.
    private static let nameOnly: Int32 = 0o10_000_000

    private let descriptor: Int32

    /// The version at the time when the file was opened.
    let stamp: FileStamp

    /// Opens a file without the right to read it; `nil` for none.
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
