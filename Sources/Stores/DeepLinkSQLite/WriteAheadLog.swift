import Foundation
import GRDB
import Synchronization

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
