import Foundation

/// A version of a file, told from others without reading it.
package struct FileStamp: Equatable, Sendable {
    /// The device that the file is on.
    private let device: UInt64

    /// The number of the file on its device; a file that is renamed over another keeps its own.
    private let inode: UInt64

    /// The length in bytes.
    private let size: Int64

    /// The moments at which the content, and anything of the file, last changed, in nanoseconds.
    private let times: [Int64]

    /// Creates a stamp from its parts.
    package init(inode: UInt64, size: Int, changedAt time: Int) {
        device = 0
        self.inode = inode
        self.size = Int64(size)
        times = [Int64(time)]
    }

    /// Looks at a file, and through links to it; `nil` where there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at an open file; `nil` where the descriptor is none.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Takes over what the system says of a file.
    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        times = [status.st_mtim, status.st_ctim].map { Int64($0.tv_sec) * 1_000_000_000 + Int64($0.tv_nsec) }
    }

    /// Returns whether both are versions of one file, which was written in place in between.
    package func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
