package import DeepLinkCore
import Foundation
import GRDB
package import Logging

/// A store of user states in one SQLite file: WAL, `synchronous=FULL`, every constraint in the schema.
///
/// Writes go through one connection, and are on disk when the call returns (sqlite.org/pragma.html#pragma_synchronous:
/// in WAL mode only FULL syncs at each commit); those that arrive at the same time share a commit. Reads run on
/// connections of their own and wait for no write (sqlite.org/wal.html); none holds its transaction after the call.
/// Other processes may use the file at the same time, but one server alone serves it.
package final class SQLiteUserStateStore: Sendable {
    /// What the file is opened for.
    package enum Use: Sendable {
        /// A server: takes the lock, and checks the file first where the last server did not end cleanly.
        case serving

        /// A command or a test: leaves the lock to the server.
        case offline
    }

    /// How long a write waits for another process before it fails, in seconds.
    private static let busyTimeout: TimeInterval = 5

    private static let fullSynchronous = 2

    let file: DatabaseFile
    let pool: DatabasePool
    let use: Use
    let gate: WriteGate
    let log: WriteAheadLog
    let foreignChanges: ForeignChangeTracker
    let logger: Logger
    let levels: UserLevelCache?
    let levelReader: UserLevelReader
    let historyLimits: UserHistoryLimits
    private let lock: ServingLock?
    private let identity: DatabaseFile.Identity?

    /// The log and its index, which are there from the first look at the file until the last connection closes.
    private let companions: [DatabaseFile.Identity?]
    private let commits: GroupCommit

    /// Opens a database file, creating it and its folder where they do not exist, and brings its schema up to date.
    ///
    /// A file that was not closed cleanly is checked before the first change: now where it is small, else by
    /// ``verify()``.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - use: whether a server opens it.
    ///   - maximumCachedUsers: of how many users a server remembers what decides their levels; 0 for none.
    ///   - historyLimits: how much of each user's history is kept.
    ///   - lookLease: for how long after a look for changes of others a level is answered from memory.
    ///   - logger: hears of what shuts the store for changes, and of checks.
    ///   - immediateCheckByteCount: up to which size a server checks the file at once.
    /// - Throws: ``StoreOpenError``, which says what is wrong with the file and what to do.
    package init(
        path: String,
        use: Use = .offline,
        maximumCachedUsers: Int = 100_000,
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        lookLease: Duration = UserLevelCache.lease,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() },
        immediateCheckByteCount: Int = 64 << 20
    ) throws(StoreOpenError) {
        let file = DatabaseFile(path)
        do {
            try file.createFolder()
            file.create()
            guard file.nameCount <= 1 else {
                throw StoreOpenError.hardLinked(path: path, nameCount: file.nameCount)
            }
            let lock: ServingLock? = use == .serving ? try ServingLock(file) : nil
            let refusal = Self.refusal(file, lock)
            let gate = WriteGate(path: path, refusal: refusal, logger: logger) {
                // The next start checks the file in any case; the word tells commands that run meanwhile.
                try? lock?.mark(.failed, of: file)
            }
            let log = WriteAheadLog(file, gate)
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.busyTimeout)
            configuration.label = "waymark"
            // Else GRDB ends the process where a failing disk leaves a transaction open; `GroupCommit` sees to it.
            configuration.allowsUnsafeTransactions = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            try Self.requireFullSynchronous(pool)
            try pool.writeWithoutTransaction(log.takeOver)
            try pool.read(Schema.requireSoundness)
            guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
                throw StoreOpenError.newerSchema(path: path)
            }
            try lock?.mark(.starting, of: file)
            if case .unverified = refusal, try !pool.read(Schema.migrator.hasCompletedMigrations) {
                // A migration is a change, too.
                if let finding = try Self.finding(pool) {
                    throw StoreOpenError.damaged(path: path, reason: finding)
                }
            }
            try Schema.migrator.migrate(pool)
            // A command does not look for changes of others, so it remembers nothing.
            let levels =
                use == .serving && maximumCachedUsers > 0
                ? UserLevelCache(capacity: maximumCachedUsers, lease: lookLease) : nil
            let foreignChanges = ForeignChangeTracker(levels: levels)
            do { try pool.writeWithoutTransaction(foreignChanges.start) } catch {
                // What can be read of a damaged file is read.
                gate.note(error)
                guard let refusal = gate.refusal, refusal.isDamage else { throw error }
            }
            self.file = file
            self.pool = pool
            self.use = use
            self.gate = gate
            self.log = log
            self.foreignChanges = foreignChanges
            self.logger = logger
            self.levels = levels
            self.historyLimits = historyLimits
            levelReader = UserLevelReader(path: path)
            self.lock = lock
            identity = file.identity
            companions = file.companions
            commits = GroupCommit(pool, gate: gate, log: log, foreignChanges: foreignChanges, levels: levels)
            if gate.refusal == nil {
                try lock?.mark(.serving, of: file)
            } else if case .unverified = gate.refusal, use == .serving,
                file.byteCount + file.logByteCount <= immediateCheckByteCount
            {
                settle(try Self.finding(pool))
            }
        } catch let error as StoreOpenError {
            throw error
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }

    /// Why no change is accepted at first; `nil` where changes are.
    private static func refusal(_ file: DatabaseFile, _ lock: ServingLock?) -> WritesRefused? {
        let unverified = WritesRefused.unverified(path: file.path)
        // Whatever a command left that ended in the middle of its work, for one.
        let isLogLeft = file.logByteCount > 0
        if let lock { return lock.followsUncleanEnd || isLogLeft ? unverified : nil }
        switch ServingLock.standing(of: file) {
        case .clean: return isLogLeft ? unverified : nil
        case .unclean: return unverified
        case .held(let acceptsChanges): return acceptsChanges ? nil : .refusedByServer(path: file.path)
        }
    }

    /// Sets FULL, which GRDB replaces by NORMAL when it enters WAL mode, and makes sure that it is in force.
    private static func requireFullSynchronous(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            let mode = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            guard mode == fullSynchronous, journal?.bytewise == "wal" else {
                throw StoreOpenError.notDurable(synchronous: mode, journalMode: journal)
            }
        }
    }

    /// The `synchronous` mode in force on the connection that writes: 2 is FULL (sqlite.org/pragma.html).
    ///
    /// Waits for the write in progress.
    package func synchronousMode() throws -> Int? {
        try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    /// Moves the write-ahead log into the database file and closes it; no call may follow.
    ///
    /// Where changes are not accepted, nothing is moved, and the log stays for the next start to check.
    package func close() throws {
        try levelReader.close()
        if gate.refusal == nil, !isServedByAnother {
            // What is not moved, on a full disk for one, is safe in the log.
            do { _ = try pool.writeWithoutTransaction(log.cut) } catch {
                logger.warning("The write-ahead log stays beside the database.", metadata: ["error": "\(error)"])
            }
        }
        guard gate.refusal == nil else {
            // SQLite moves the log when the last connection closes (sqlite.org/wal.html). The connections stay open
            // until the process ends.
            _ = Unmanaged.passRetained(pool)
            lock?.release(isClean: false)
            return
        }
        try pool.close()
        lock?.release(isClean: file.logByteCount == 0)
    }

    /// Whether a server keeps the log; to cut it beside that one would look like a change of anything.
    private var isServedByAnother: Bool {
        guard use == .offline, case .held = ServingLock.standing(of: file) else { return false }
        return true
    }

    /// Says what an error of a call means for the file, where SQLite or a record reports it; another error stays as it
    /// is.
    package func explain(_ error: any Error) -> any Error {
        if let damage = StoreOpenError.damage(error, path: file.path) { return damage }
        return error is DatabaseError ? StoreOpenError(error, path: file.path) : error
    }

    /// Opens the gate after a check that found nothing, or shuts it for good.
    func settle(_ finding: String?) {
        if let finding {
            gate.close(.damaged(path: file.path, finding: finding))
            return
        }
        do {
            try lock?.mark(.serving, of: file)
            gate.open()
            logger.info("The database was not closed cleanly; it is checked and in order.")
        } catch {
            gate.close(.failed(path: file.path, reason: "\(error)"))
        }
    }

    /// Shuts the store for changes where its path leads to another file, or to none, and where the log beside it does:
    /// they would be lost.
    ///
    /// What is in a log that was removed is still in reach of the open connections, so it is moved into the file first,
    /// as long as no other log has taken its place.
    func checkIdentity() async throws {
        if file.identity != identity { gate.close(.replaced(path: file.path)) }
        let found = file.companions
        guard zip(companions, found).contains(where: { $0 != nil && $0 != $1 }), gate.refusal?.isLasting != true else {
            return
        }
        if found.first == .some(nil) { try await pool.writeWithoutTransaction { [log] in log.move($0) } }
        gate.close(.logRemoved(path: file.path))
    }

    package func state(of id: UserID) throws -> UserState? {
        try read { database in try UserStateStanding(of: id, database).state }
    }

    package func grant(of id: UserID) throws -> LevelGrant? {
        try explaining {
            guard let levels else { return try levelReader.grant(of: id) }
            return try levels.grant(of: id) { try levelReader.grant(of: id) }
        }
    }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        try read { database in try UserStateRecord.states(after: id, limit: limit, database) }
    }

    package func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        try read { database in try UserHistoryRecord.changes(of: id, after: version, limit: limit, database) }
    }

    /// Runs a read, which sees one state of the file and waits for no write.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try explaining { try pool.read(body) }
    }

    /// Runs a body, whose errors name the database where damage is the reason; another error stays as it is.
    private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw StoreOpenError.damage(error, path: file.path) ?? error
        }
    }

    /// Runs a change, all or nothing, which is on disk when this returns; changes at the same time share a commit.
    ///
    /// One that changes states says by `levels` what its result means for the users' levels.
    ///
    /// - Throws: ``WritesRefused`` where no change is accepted; what the change throws; an error of the disk.
    func write<Result: Sendable>(
        _ change: @Sendable @escaping (Database) throws -> Result,
        levels: @Sendable @escaping (Result) -> [UserLevelChange] = { _ in [] }
    ) async throws -> Result {
        if use == .offline, case .unverified = gate.refusal { try await verify() }
        do {
            return try await commits.write(change, levels: levels)
        } catch let error as StoreDamage {
            throw StoreOpenError.damaged(path: file.path, reason: "\(error)")
        }
    }

    package func checkUsable() throws {
        if let refusal = gate.refusal, refusal.isLasting { throw refusal }
        _ = try read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM user_state LIMIT 1)")
        }
    }
}
