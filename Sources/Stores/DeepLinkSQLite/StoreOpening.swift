import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Logging

/// The opening of a database file in steps, with its progress.
///
/// The order of the steps matters: the file isn't changed before it is known to be sound, and a server reports that it
/// serves only once it does.
struct StoreOpening {
    /// The time that a write waits for another process before it fails, in seconds.
    private static let busyTimeout: TimeInterval = 5

    private static let fullSynchronous = 2

    /// The page cache of a command, in KiB.
    private static let offlineCacheSize = 65_536

    let file: DatabaseFile
    let lock: ServingLock?
    let writeSwitch: WriteSwitch
    let log: WriteAheadLog
    let pool: DatabasePool
    private let logger: Logger

    /// Finds or creates the file, takes the lock of a server, and opens connections.
    ///
    /// - Throws: ``StoreOpenError`` if another server runs on the file or it has several names, or an error of SQLite.
    init(path: String, use: SQLiteStore.Use, logger: Logger) throws {
        let file = DatabaseFile(path)
        try file.createFolder()
        guard !file.isFolder else { throw StoreOpenError.folder(path: path) }
        file.create()
        guard file.nameCount <= 1 else { throw StoreOpenError.hardLinked(path: path, nameCount: file.nameCount) }
        let lock: ServingLock? = use == .serving ? try ServingLock(file) : nil
        self.file = file
        self.lock = lock
        self.logger = logger
        writeSwitch = WriteSwitch(path: path, refusal: Self.refusal(file, lock: lock), logger: logger) {
            // The next start checks the file in any case. The mark is for commands that run meanwhile.
            try? lock?.mark(.failed, of: file)
        }
        log = WriteAheadLog(file, writeSwitch: writeSwitch)
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeout)
        configuration.label = "waymark"
        // Otherwise GRDB ends the process if a failing disk leaves a transaction open, which `GroupCommit` handles.
        configuration.allowsUnsafeTransactions = true
        pool = try DatabasePool(path: path, configuration: configuration)
    }

    /// Returns the reason why changes are refused at first, or `nil` if they are accepted.
    private static func refusal(_ file: DatabaseFile, lock: ServingLock?) -> WritesUnavailableError? {
        let unverified = WritesUnavailableError.unverified(path: file.path)
        // For example, the log of a command that was interrupted.
        let isLogLeft = file.logByteCount > 0
        if let lock { return lock.followsUncleanEnd || isLogLeft ? unverified : nil }
        switch ServingLock.state(of: file) {
        case .clean: return isLogLeft ? unverified : nil
        case .unclean: return unverified
        case .held(let acceptsChanges): return acceptsChanges ? nil : .refusedByServer(path: file.path)
        }
    }

    /// Sets FULL, which GRDB replaces by NORMAL when it enters WAL mode, verifies it, and disables SQLite's automatic
    /// checkpoints.
    func requireDurability() throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            let mode = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            guard mode == Self.fullSynchronous, journal?.bytewise == "wal" else {
                throw StoreOpenError.notDurable(synchronous: mode, journalMode: journal)
            }
            // Deleted data is overwritten (sqlite.org/pragma.html#pragma_secure_delete), as an erasure promises.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // A command that writes many rows caches the pages of their indexes. Memory is used only as they are read.
            if lock == nil { try database.execute(sql: "PRAGMA cache_size = -\(Self.offlineCacheSize)") }
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
    }

    /// Checks that the schema is sound and wasn't written by a newer version of this program.
    func requireKnownSchema() throws {
        try pool.read(Schema.requireSoundness)
        guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
            throw StoreOpenError.newerSchema(path: file.path)
        }
    }

    /// Upgrades the schema.
    ///
    /// A migration is a change, so a file that was not closed cleanly is checked first.
    ///
    /// - Parameter keepsCopy: Whether the file is copied before its schema changes.
    /// - Returns: The upgrade, or `nil` for a file that is new or up to date.
    /// - Throws: ``StoreOpenError`` if a server uses the file with its current schema, the file is damaged, or the copy
    ///   cannot be made, or an error of SQLite. The file is then unchanged, or at a step in between.
    func migrate(keepingCopy keepsCopy: Bool) throws -> SchemaUpgrade? {
        let migrator = Schema.migrator
        let (former, current) = (try pool.read(migrator.appliedIdentifiers).count, migrator.migrations.count)
        let isUpgrade = (1..<current).contains(former)
        // A command may be newer than the running server.
        if isUpgrade, lock == nil, case .held = ServingLock.state(of: file) {
            throw StoreOpenError.servedByOlder(path: file.path)
        }
        try lock?.mark(.starting, of: file)
        if case .unverified = writeSwitch.refusal, try !pool.read(Schema.migrator.hasCompletedMigrations),
            let finding = try FileCheck.finding(pool)
        {
            throw StoreOpenError.damaged(path: file.path, reason: finding)
        }
        // It may take long for a large file, so the log gives the reason for the wait.
        var copy: String?
        if isUpgrade {
            if keepsCopy { copy = try self.copy(beforeStep: former + 1) }
            logger.notice(
                "The database is being upgraded.",
                metadata: [
                    "copy": "\(copy ?? "none; --backup-before-upgrade keeps one")", "database": "\(file.path)",
                    "fromStep": .stringConvertible(former), "toStep": .stringConvertible(current),
                ]
            )
        }
        let start = ContinuousClock.now
        try migrator.migrate(pool)
        return SchemaUpgrade(from: former, to: current, in: ContinuousClock.now - start, copy: copy)
    }

    /// Copies the file beside itself before a step of the schema.
    ///
    /// It does not replace the copy of an earlier attempt.
    ///
    /// - Returns: The path of the copy.
    /// - Throws: ``StoreOpenError``.
    private func copy(beforeStep step: Int) throws -> String {
        var path = "\(file.path).before-step-\(step)"
        if DatabaseFile.exists(path) { path += "-\(Int(Date().timeIntervalSince1970))" }
        do {
            _ = try DatabaseBackup(of: file.path, to: path)
        } catch let error as BackupError {
            throw StoreOpenError.noCopy(path: file.path, reason: "\(error)")
        }
        return path
    }

    /// Records the contents of the file as known.
    ///
    /// A damaged file is read as far as possible.
    func start(_ monitor: ExternalChangeMonitor) throws {
        do { try pool.writeWithoutTransaction(monitor.start) } catch {
            writeSwitch.note(error)
            guard let refusal = writeSwitch.refusal, refusal.isDamage else { throw error }
        }
    }
}
