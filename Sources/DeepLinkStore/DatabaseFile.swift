import Foundation

/// A database file and what lies beside it.
struct DatabaseFile: Sendable {
    /// The device and node of a file, which tell it from another that takes its place.
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

    /// The identity of the file that the path leads to; `nil` for none.
    var identity: Identity? { Self.status(resolvedPath)?.identity }

    /// The identities of the files that SQLite keeps beside it: the write-ahead log, and its index; `nil` for none.
    var companions: [Identity?] { ["-wal", "-shm"].map { Self.status(resolvedPath + $0)?.identity } }

    /// The number of names that the file has; 0 where there is none.
    var nameCount: Int { Self.status(resolvedPath)?.nameCount ?? 0 }

    /// Whether others than the owner may read or write the file.
    var isOpenToOthers: Bool { (Self.status(resolvedPath)?.mode ?? 0) & 0o077 != 0 }

    /// The room on the disk of the file that this process may take, in bytes; `nil` where the system does not tell.
    var freeByteCount: Int? {
        var status = statvfs()
        guard statvfs(resolvedPath, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail)) * Int(clamping: UInt64(status.f_frsize))
    }

    /// Creates an empty file that only its owner may read, where there is none; SQLite then gives the files beside it
    /// the same mode (sqlite.org/src/file/src/os_unix.c, `findCreateFileMode`).
    ///
    /// What keeps it from being created keeps SQLite from it as well, which says more.
    ///
    /// - Returns: whether it was created.
    @discardableResult
    func create() -> Bool {
        let descriptor = open(resolvedPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        return close(descriptor) == 0
    }

    /// Returns whether anything is at a path, a symbolic link that leads nowhere included.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Waits until the file is on disk.
    ///
    /// - Returns: whether it is; else `errno` says why.
    func sync() -> Bool { Self.sync(resolvedPath) }

    /// Waits until the names of the file's folder are on disk.
    ///
    /// - Returns: whether they are; else `errno` says why.
    func syncFolder() -> Bool { Self.sync(URL(fileURLWithPath: resolvedPath).deletingLastPathComponent().path) }

    private static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Gives the file another name, which no file has.
    ///
    /// - Returns: whether it has; else `errno` says why.
    func rename(to other: DatabaseFile) -> Bool {
        // Unlike rename(2), link(2) replaces nothing; some file systems lack it.
        if link(resolvedPath, other.resolvedPath) == 0 { return unlink(resolvedPath) == 0 }
        guard errno == EPERM || errno == EOPNOTSUPP, !Self.exists(other.resolvedPath) else { return false }
        return Foundation.rename(resolvedPath, other.resolvedPath) == 0
    }

    /// Removes the file, and what SQLite may have left beside it.
    func remove() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(resolvedPath + suffix) }
    }

    /// Gives the log beside the file the name that belongs to another, and removes its index, which is made anew.
    ///
    /// - Returns: whether it has, or there is none; else `errno` says why.
    func moveCompanions(to other: DatabaseFile) -> Bool {
        unlink(resolvedPath + "-shm")
        return Foundation.rename(resolvedPath + "-wal", other.resolvedPath + "-wal") == 0 || errno == ENOENT
    }

    /// Removes the lock beside a file that no server has served.
    func removeLock() { unlink(lockPath) }

    /// Creates the folder of the file where there is none.
    func createFolder() throws {
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: resolvedPath).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
    }

    private struct Status {
        let identity: Identity
        let byteCount: Int
        let nameCount: Int
        let mode: UInt32
    }

    private static func status(_ path: String) -> Status? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Status(
            identity: Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino)),
            byteCount: Int(status.st_size),
            nameCount: Int(status.st_nlink),
            mode: UInt32(status.st_mode)
        )
    }
}
