import Foundation

/// The identity of a file's version, available without reading the file.
package struct FileStamp: Equatable, Sendable {
    /// The device of the file.
    private let device: UInt64

    /// The inode of the file on its device.
    ///
    /// A file that is renamed over another keeps its own inode.
    private let inode: UInt64

    /// The length in bytes.
    private let size: Int64

    /// The times of the last changes of the content and of the status, in nanoseconds since the epoch.
    private let times: [Int64]

    /// Creates a stamp from its parts.
    package init(inode: UInt64, size: Int, changedAt time: Int) {
        device = 0
        self.inode = inode
        self.size = Int64(size)
        times = [Int64(time)]
    }

    /// Reads the stamp of a file, following symbolic links, or returns `nil` if the file doesn't exist.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the stamp of an open file, or returns `nil` if the descriptor is invalid.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates a stamp from the system's file status.
    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        times = [status.st_mtim, status.st_ctim].map { Int64($0.tv_sec) * 1_000_000_000 + Int64($0.tv_nsec) }
    }

    /// Returns whether both are versions of one file that was written in place in between.
    package func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
