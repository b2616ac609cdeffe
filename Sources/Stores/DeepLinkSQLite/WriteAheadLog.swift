import Foundation
import GRDB
import Synchronization

/// The write-ahead log, moved into the database file in small portions, and cut when it has grown large.
///
/// SQLite would move it by itself at a commit, and hide a failed sync (sqlite.org/c3ref/wal_autocheckpoint.html); here
/// the error is noticed and shuts the barrier. Runs on the writing connection, after callers have their results.
final class WriteAheadLog: Sendable {
    /// The number of changes after which the log is moved: a change touches some three pages of 4 KiB, so that is some
    /// MiB.
    private static let changesPerCheckpoint = 512

    /// The size from which the file is cut, in bytes.
    ///
    /// A smaller file is overwritten from its beginning, which costs less than growing it again.
    static let cutSize = 16 << 20

    private let file: DatabaseFile
    private let barrier: WriteBarrier
    private let changeCount = Mutex(0)

    init(_ file: DatabaseFile, barrier: WriteBarrier) {
        self.file = file
        self.barrier = barrier
    }

    /// Disables SQLite's own moving of the log, for this connection.
    func takeOver(_ database: Database) throws {
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }

    /// Counts committed changes, and from time to time moves the log as far as no reader needs it.
    ///
    /// A log larger than the remaining disk space is cut at once: moving it takes at most its own size, so that is
    /// possible now, and may not be later.
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

    /// Moves the log as far as no reader needs it; the moved part is overwritten by later changes.
    func move(_ database: Database) {
        guard barrier.refusal == nil else { return }
        do {
            try database.checkpoint(.passive)
        } catch {
            // Busy or no space: the contents of the log are safe, and the next attempt moves them.
            barrier.note(error)
        }
    }

    /// Frees the log's space on a disk that is full, or nearly so, as far as the log can be moved.
    func makeRoom(_ database: Database) {
        // The barrier notes a failure; the contents of the log are safe, and the next attempt moves them.
        _ = try? cut(database)
    }

    /// Moves the whole log and truncates the file, unless it is being read; waits for no reader.
    ///
    /// - Returns: Whether the file was truncated.
    /// - Throws: An error of the disk, which the barrier has noted.
    func cut(_ database: Database) throws -> Bool {
        guard barrier.refusal == nil else { return false }
        let timeout = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(timeout)") }
        do {
            try database.checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        } catch {
            barrier.note(error)
            throw error
        }
    }
}
