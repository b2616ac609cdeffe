import Foundation
import GRDB
import Synchronization

/// The write-ahead log, which is moved into the database file, in small portions, and cut where it has grown large.
///
/// SQLite would do the first by itself at a commit, and keep a failed sync to itself
/// (sqlite.org/c3ref/wal_autocheckpoint.html); here the error is seen, and shuts the barrier. Runs on the connection that
/// writes, after callers were told of their changes.
final class WriteAheadLog: Sendable {
    /// After how many changes the log is moved: a change touches some three pages of 4 KiB, so that is some MiB.
    private static let changesPerCheckpoint = 512

    /// From which size on the file is cut, in bytes.
    ///
    /// Below, it is written again from its beginning, which costs less than to let it grow anew.
    static let cutSize = 16 << 20

    private let file: DatabaseFile
    private let barrier: WriteBarrier
    private let changeCount = Mutex(0)

    init(_ file: DatabaseFile, _ barrier: WriteBarrier) {
        self.file = file
        self.barrier = barrier
    }

    /// Takes the work from SQLite, for this connection.
    func takeOver(_ database: Database) throws {
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }

    /// Counts changes that are committed, and from time to time moves the log as far as no reader needs it.
    ///
    /// A log that outgrows the room that is left is cut at once: to move it takes at most as much room as it has itself,
    /// so that is possible now, and may not be later.
    func note(_ count: Int, _ database: Database) {
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

    /// Moves the log as far as no reader needs it; what is moved is written over by later changes.
    func move(_ database: Database) {
        guard barrier.refusal == nil else { return }
        do {
            try database.checkpoint(.passive)
        } catch {
            // Busy or no space: what is in the log is safe there, and the next attempt moves it.
            barrier.note(error)
        }
    }

    /// Gives back what the log takes of a disk that is full, or nearly so, as far as it can be moved.
    func makeRoom(_ database: Database) {
        // What fails is noted by the barrier; what is in the log is safe there, and the next attempt moves it.
        _ = try? cut(database)
    }

    /// Moves the whole log and cuts the file to nothing, unless someone reads from it just now; waits for nobody.
    ///
    /// - Returns: whether the file was cut.
    /// - Throws: an error of the disk, which the barrier knows of.
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
