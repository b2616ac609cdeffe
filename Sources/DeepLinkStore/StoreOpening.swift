import DeepLinkCore
import Foundation
import GRDB
import Logging

/// The opening of a database file, step by step: what has been opened so far, and the next step.
///
/// The steps stand in their order: nothing is changed in the file before it is known to be sound, and no server says that
/// it serves before it does.
struct StoreOpening {
    /// The time that a write waits for another process before it fails, in seconds.
    private static let busyTimeout: TimeInterval = 5

    private static let fullSynchronous = 2

    let file: DatabaseFile
    let lock: ServingLock?
    let barrier: WriteBarrier
    let log: WriteAheadLog
    let pool: DatabasePool

    /// Finds the file or creates it, takes the lock of a server, and opens connections.
    ///
    /// - Throws: ``StoreOpenError`` where another server runs on the file, or it has several names; an error of SQLite.
    init(path: String, use: SQLiteStore.Use, logger: Logger) throws {
        let file = DatabaseFile(path)
        try file.createFolder()
        file.create()
        guard file.nameCount <= 1 else { throw StoreOpenError.hardLinked(path: path, nameCount: file.nameCount) }
        let lock: ServingLock? = use == .serving ? try ServingLock(file) : nil
        self.file = file
        self.lock = lock
        barrier = WriteBarrier(path: path, refusal: Self.refusal(file, lock), logger: logger) {
            // The next start checks the file in any case; the word tells commands that run meanwhile.
            try? lock?.mark(.failed, of: file)
        }
        log = WriteAheadLog(file, barrier)
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeout)
        configuration.label = "waymark"
        // Else GRDB ends the process where a failing disk leaves a transaction open; `GroupCommit` sees to it.
        configuration.allowsUnsafeTransactions = true
        pool = try DatabasePool(path: path, configuration: configuration)
    }

    /// Returns the reason why no change is accepted at first; `nil` where changes are.
    private static func refusal(_ file: DatabaseFile, _ lock: ServingLock?) -> WritesUnavailableError? {
        let unverified = WritesUnavailableError.unverified(path: file.path)
        // Whatever a command left that ended in the middle of its work, for one.
        let isLogLeft = file.logByteCount > 0
        if let lock { return lock.followsUncleanEnd || isLogLeft ? unverified : nil }
        switch ServingLock.standing(of: file) {
        case .clean: return isLogLeft ? unverified : nil
        case .unclean: return unverified
        case .held(let acceptsChanges): return acceptsChanges ? nil : .refusedByServer(path: file.path)
        }
    }

    /// Sets FULL, which GRDB replaces by NORMAL when it enters WAL mode, makes sure that it is in force, and takes the
    /// moving of the log from SQLite.
    func requireDurability() throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            let mode = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            guard mode == Self.fullSynchronous, journal?.bytewise == "wal" else {
                throw StoreOpenError.notDurable(synchronous: mode, journalMode: journal)
            }
            // What is deleted is overwritten (sqlite.org/pragma.html#pragma_secure_delete), as an erasure promises.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try log.takeOver(database)
        }
    }

    /// Requires a schema that is sound, and that no newer version of this program has written.
    func requireKnownSchema() throws {
        try pool.read(Schema.requireSoundness)
        guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
            throw StoreOpenError.newerSchema(path: file.path)
        }
    }

    /// Brings the schema up to date; a migration is a change, so a file that was not closed cleanly is checked before.
    func migrate() throws {
        try lock?.mark(.starting, of: file)
        if case .unverified = barrier.refusal, try !pool.read(Schema.migrator.hasCompletedMigrations),
            let finding = try FileCheck.finding(pool)
        {
            throw StoreOpenError.damaged(path: file.path, reason: finding)
        }
        try Schema.migrator.migrate(pool)
    }

    /// Takes what is in the file for known; what can be read of a damaged file is read all the same.
    func start(_ monitor: ExternalChangeMonitor) throws {
        do { try pool.writeWithoutTransaction(monitor.start) } catch {
            barrier.note(error)
            guard let refusal = barrier.refusal, refusal.isDamage else { throw error }
        }
    }

    /// Marks the lock as that of a server which accepts changes, where this one does.
    func markServing() throws {
        if barrier.refusal == nil { try lock?.mark(.serving, of: file) }
    }
}
