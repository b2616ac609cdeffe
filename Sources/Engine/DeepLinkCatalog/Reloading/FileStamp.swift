package import DeepLinkCore
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

/// The identity of the version of all files of a catalog.
package struct CatalogStamp: Equatable, Sendable {
    /// The stamps of the files by their names, under the empty name for the catalog's own.
    let files: [ByteText: FileStamp]

    /// Whether the catalog includes files.
    var includesFiles: Bool { files.count > 1 }

    /// Creates a stamp from the stamps of the catalog's own file and of the included files by their names.
    package init(_ own: FileStamp, including included: [ByteText: FileStamp] = [:]) {
        var files = included
        files[""] = own
        self.files = files
    }

    /// Reads the stamps of the files that some patterns match now.
    ///
    /// - Parameters:
    ///   - own: The stamp of the catalog's own file.
    ///   - path: The path of that file.
    ///   - patterns: The patterns of its `include`.
    package init(_ own: FileStamp, of path: String, including patterns: [IncludePattern]) {
        let folder = CatalogFolder(of: path)
        var included: [ByteText: FileStamp] = [:]
        for name in folder.names(matching: patterns) ?? [] {
            included[name.bytewise] = FileStamp(path: folder.path(of: name))
        }
        self.init(own, including: included)
    }
}
