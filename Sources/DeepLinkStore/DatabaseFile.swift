import Foundation

/// Names a database file and what lies beside it, and looks at them.
struct DatabaseFile: Sendable {
    /// Tells a file from another that takes its place.
    struct Identity: Hashable, Sendable {
        fileprivate let device: UInt64
        fileprivate let node: UInt64
    }

    /// The path as it was given, for messages.
    let path: String

    /// The path that symbolic links lead to: SQLite keeps its own files beside that one.
    private let resolvedPath: String

    init(_ path: String) {
        self.path = path
        resolvedPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// The path of the lock of the server.
    var lockPath: String { resolvedPath + ".lock" }

    /// The size of the database file, in bytes; 0 where there is none.
    var byteCount: Int { Self.status(resolvedPath)?.byteCount ?? 0 }

    /// The size of the write-ahead log, in bytes; 0 where there is none.
    var logByteCount: Int { Self.status(resolvedPath + "-wal")?.byteCount ?? 0 }

    /// Which file the path leads to; `nil` for none.
    var identity: Identity? { Self.status(resolvedPath)?.identity }

    /// Creates the folder of the file where there is none.
    func createFolder() throws {
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: resolvedPath).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
    }

    private static func status(_ path: String) -> (identity: Identity, byteCount: Int)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino)), Int(status.st_size))
    }
}
