import DeepLinkStorage
import Foundation
import GRDB
import Synchronization

/// A database file and the files beside it.
struct DatabaseFile: Sendable {
    /// The device and inode of a file, which distinguish it from a later file at the same path.
    struct Identity: Hashable, Sendable {
        private let device: UInt64
        private let node: UInt64

        fileprivate init(_ status: stat) {
            (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// The path as it was given, for messages.
    let path: String

    /// The path with symbolic links resolved.
    ///
    /// SQLite creates its own files beside that path.
    private let resolvedPath: String

    init(_ path: String) {
        self.path = path
        resolvedPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// The path of the server's lock.
    var lockPath: String { resolvedPath + ".lock" }

    /// The size of the database file, in bytes, or 0 if it doesn't exist.
    var byteCount: Int { Self.status(resolvedPath).map { Int($0.st_size) } ?? 0 }

    /// The size of the write-ahead log, in bytes, or 0 if it doesn't exist.
    var logByteCount: Int { Self.status(resolvedPath + "-wal").map { Int($0.st_size) } ?? 0 }

    /// The identity of the file at the path, or `nil` if it doesn't exist.
    var identity: Identity? { Self.status(resolvedPath).map(Identity.init) }

    /// The identities of the write-ahead log and its index, which SQLite creates beside the file.
    ///
    /// Each is `nil` if it doesn't exist.
    var companions: [Identity?] { ["-wal", "-shm"].map { Self.status(resolvedPath + $0).map(Identity.init) } }

    /// The number of hard links of the file, or 0 if it doesn't exist.
    var nameCount: Int { Self.status(resolvedPath).map { Int($0.st_nlink) } ?? 0 }

    /// Whether the path is a folder.
    var isFolder: Bool { (Self.status(resolvedPath)?.st_mode ?? 0) & S_IFMT == S_IFDIR }

    /// Whether other users than the owner may read or write the file.
    var isOpenToOthers: Bool { (Self.status(resolvedPath)?.st_mode ?? 0) & 0o077 != 0 }

    /// The disk space available to this process, in bytes, or `nil` if the system doesn't report it.
    var freeByteCount: Int? {
        var status = statvfs()
        guard statvfs(resolvedPath, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail)) * Int(clamping: UInt64(status.f_frsize))
    }

    /// Creates an empty file that only its owner may read, unless it exists.
    ///
    /// SQLite then gives the files beside it the same mode (sqlite.org/src/file/src/os_unix.c, `findCreateFileMode`).
    ///
    /// A failure here also makes SQLite fail, and SQLite's error is more specific.
    ///
    /// - Returns: Whether the file was created.
    @discardableResult
    func create() -> Bool {
        let descriptor = open(resolvedPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        FileOwner.inherit(descriptor, at: resolvedPath)
        return close(descriptor) == 0
    }

    /// Returns whether anything exists at a path, including a dangling symbolic link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Syncs the file to the disk.
    ///
    /// - Returns: Whether it succeeded. Otherwise `errno` has the reason.
    func sync() -> Bool { Self.sync(resolvedPath) }

    /// Syncs the entries of the file's folder to the disk.
    ///
    /// - Returns: Whether it succeeded. Otherwise `errno` has the reason.
    func syncFolder() -> Bool { Self.sync(URL(fileURLWithPath: resolvedPath).deletingLastPathComponent().path) }

    private static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Renames the file to a name that no file has.
    ///
    /// - Returns: Whether it was renamed. Otherwise `errno` has the reason.
    func rename(to other: DatabaseFile) -> Bool {
        // Unlike rename(2), link(2) does not replace a file. Some file systems lack it.
        if link(resolvedPath, other.resolvedPath) == 0 { return unlink(resolvedPath) == 0 }
        guard errno == EPERM || errno == EOPNOTSUPP, !Self.exists(other.resolvedPath) else { return false }
        return Foundation.rename(resolvedPath, other.resolvedPath) == 0
    }

    /// Removes the file and the files that SQLite may have left beside it.
    func remove() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(resolvedPath + suffix) }
    }

    /// Gives the file the owner of another one, if this process runs as root.
    func takeOwner(of other: DatabaseFile) { FileOwner.copy(from: other.resolvedPath, to: resolvedPath) }

    /// Renames the log beside the file to match another file, and removes its index, which SQLite rebuilds.
    ///
    /// - Returns: Whether it was renamed or doesn't exist. Otherwise `errno` has the reason.
    func moveCompanions(to other: DatabaseFile) -> Bool {
        unlink(resolvedPath + "-shm")
        return Foundation.rename(resolvedPath + "-wal", other.resolvedPath + "-wal") == 0 || errno == ENOENT
    }

    /// Removes the lock file of a database that was never served.
    func removeLock() { unlink(lockPath) }

    /// Creates the folder of the file if it doesn't exist.
    func createFolder() throws {
        try FileOwner.createFolder(URL(fileURLWithPath: resolvedPath).deletingLastPathComponent().path)
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}

/// The write-ahead log, checkpointed into the database file in small portions, and truncated when it is large.
///
/// SQLite would checkpoint automatically at a commit, and hide a failed sync
/// (sqlite.org/c3ref/wal_autocheckpoint.html). Here the error is noticed and closes the barrier. Runs on the writing
/// connection, after callers have their results.
final class WriteAheadLog: Sendable {
    /// The number of changes between checkpoints.
    ///
    /// A change touches some three pages of 4 KiB, so a portion is some MiB.
    private static let changesPerCheckpoint = 512

    /// The size from which the file is truncated, in bytes.
    ///
    /// A smaller file is overwritten from its beginning, which costs less than growing it again.
    static let cutSize = 16 << 20

    private let file: DatabaseFile
    private let writeSwitch: WriteSwitch
    private let changeCount = Mutex(0)

    init(_ file: DatabaseFile, writeSwitch: WriteSwitch) {
        self.file = file
        self.writeSwitch = writeSwitch
    }

    /// Counts committed changes, and from time to time checkpoints the part of the log that readers do not need.
    ///
    /// A log larger than the remaining disk space is truncated immediately. Checkpointing takes at most its own size,
    /// which is available now and may not be later.
    func note(_ count: Int, in database: Database) {
        if let free = file.freeByteCount, file.logByteCount > free {
            makeRoom(database)
            return
        }
        let isDue = changeCount.withLock { total in
            total += count
            guard total >= Self.changesPerCheckpoint else { return false }
            total = 0
            return true
        }
        if isDue { move(database) }
    }

    /// Checkpoints the part of the log that readers do not need.
    ///
    /// Later changes overwrite that part.
    func move(_ database: Database) {
        guard writeSwitch.refusal == nil else { return }
        do {
            try database.checkpoint(.passive)
        } catch {
            // Busy or no space: the contents of the log are safe, and the next attempt checkpoints them.
            writeSwitch.note(error)
        }
    }

    /// Frees the log's space on a disk that is full or nearly full, as far as the log can be checkpointed.
    func makeRoom(_ database: Database) {
        // The barrier notes a failure. The contents of the log are safe, and the next attempt checkpoints them.
        _ = try? cut(database)
    }

    /// Checkpoints the whole log and truncates the file, unless it is being read.
    ///
    /// Does not wait for readers.
    ///
    /// - Returns: Whether the file was truncated.
    /// - Throws: An error of the disk, which the barrier has noted.
    func cut(_ database: Database) throws -> Bool {
        guard writeSwitch.refusal == nil else { return false }
        let timeout = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(timeout)") }
        do {
            try database.checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        } catch {
            writeSwitch.note(error)
            throw error
        }
    }
}
