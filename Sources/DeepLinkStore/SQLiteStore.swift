package import DeepLinkCore
package import DeepLinkStoring
import GRDB
package import Logging

/// A store of user states, service tokens and continuations in one SQLite file: WAL, `synchronous=FULL`, every constraint in the schema.
///
/// Writes go through one connection, and are on disk when the call returns (sqlite.org/pragma.html#pragma_synchronous:
/// in WAL mode only FULL syncs at each commit); those that arrive at the same time share a commit. Reads run on
/// connections of their own and wait for no write (sqlite.org/wal.html); none holds its transaction after the call.
/// Other processes may use the file at the same time, but one server alone serves it.
package final class SQLiteStore: Sendable {
    /// The purpose for which the file is opened.
    package enum Use: Sendable {
        /// A server: takes the lock, and checks the file first where the last server did not end cleanly.
        case serving

        /// A command or a test: leaves the lock to the server.
        case offline
    }

    let file: DatabaseFile
    let pool: DatabasePool
    let use: Use
    let barrier: WriteBarrier
    let log: WriteAheadLog
    let externalChanges: ExternalChangeMonitor
    let logger: Logger
    let levels: UserLevelCache?
    let levelReader: UserLevelReader
    let historyLimits: UserHistoryLimits
    let maximumAnswerCount: Int
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
    ///   - maximumAnswerCount: the most answers to requests that may be sent again that are kept.
    ///   - pollLease: for how long after a search for changes of others a level is answered from memory.
    ///   - observer: who is told of changes that others make; without one, what remembers the levels is.
    ///   - logger: hears of what shuts the store for changes, and of checks.
    ///   - immediateCheckByteCount: up to which size a server checks the file at once.
    /// - Throws: ``StoreOpenError``, which says what is wrong with the file and what to do.
    package init(
        path: String,
        use: Use = .offline,
        maximumCachedUsers: Int = 100_000,
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        maximumAnswerCount: Int = 250_000,
        pollLease: Duration = UserLevelCache.lease,
        observer: (any ExternalChangeObserver)? = nil,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() },
        immediateCheckByteCount: Int = 64 << 20
    ) throws(StoreOpenError) {
        do {
            let opening = try StoreOpening(path: path, use: use, logger: logger)
            try opening.requireDurability()
            try opening.requireKnownSchema()
            try opening.migrate()
            // A command does not look for changes of others, so it remembers nothing.
            let levels =
                use == .serving && maximumCachedUsers > 0
                ? UserLevelCache(capacity: maximumCachedUsers, lease: pollLease) : nil
            let externalChanges = ExternalChangeMonitor(observer: observer ?? levels)
            try opening.start(externalChanges)
            file = opening.file
            pool = opening.pool
            self.use = use
            barrier = opening.barrier
            log = opening.log
            self.externalChanges = externalChanges
            self.logger = logger
            self.levels = levels
            self.historyLimits = historyLimits
            self.maximumAnswerCount = maximumAnswerCount
            levelReader = UserLevelReader(path: path)
            lock = opening.lock
            identity = file.identity
            companions = file.companions
            commits = GroupCommit(pool, barrier: barrier, log: log, externalChanges: externalChanges, levels: levels)
            try opening.markServing()
            if case .unverified = barrier.refusal, use == .serving,
                file.byteCount + file.logByteCount <= immediateCheckByteCount
            {
                settle(try FileCheck.finding(pool))
            }
        } catch let error as StoreOpenError {
            throw error
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }

    /// Returns the `synchronous` mode in force on the connection that writes: 2 is FULL (sqlite.org/pragma.html).
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
        if barrier.refusal == nil, !isServed {
            // What is not moved, on a full disk for one, is safe in the log.
            do { _ = try pool.writeWithoutTransaction(log.cut) } catch {
                logger.warning("The write-ahead log stays beside the database.", metadata: ["error": "\(error)"])
            }
        }
        guard barrier.refusal == nil else {
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
    package var isServed: Bool {
        guard use == .offline, case .held = ServingLock.standing(of: file) else { return false }
        return true
    }

    /// Returns what an error of a call means for the file, where SQLite or a record reports it; another error stays as it
    /// is.
    package func explain(_ error: any Error) -> any Error {
        if let damage = StoreOpenError.damage(error, path: file.path) { return damage }
        return error is DatabaseError ? StoreOpenError(error, path: file.path) : error
    }

    /// Opens the barrier after a check that found nothing, or shuts it for good.
    func settle(_ finding: String?) {
        if let finding {
            barrier.close(.damaged(path: file.path, finding: finding))
            return
        }
        do {
            try lock?.mark(.serving, of: file)
            barrier.open()
            logger.info("The database was not closed cleanly; it is checked and in order.")
        } catch {
            barrier.close(.failed(path: file.path, reason: "\(error)"))
        }
    }

    /// Shuts the store for changes where its path leads to another file, or to none, and where the log beside it does:
    /// they would be lost.
    ///
    /// What is in a log that was removed is still in reach of the open connections, so it is moved into the file first,
    /// as long as no other log has taken its place.
    func checkIdentity() async throws {
        if file.identity != identity { barrier.close(.replaced(path: file.path)) }
        let found = file.companions
        guard zip(companions, found).contains(where: { $0 != nil && $0 != $1 }), barrier.refusal?.isLasting != true
        else {
            return
        }
        if found.first == .some(nil) { try await pool.writeWithoutTransaction { [log] in log.move($0) } }
        barrier.close(.logRemoved(path: file.path))
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

    package func grantAtHand(of id: UserID, atLeast version: Int) throws -> GrantFinding? {
        guard version > 0 else { return .current(try grant(of: id)) }
        return try read { database in
            let standing = try UserStateStanding(of: id, database)
            let last = try standing.last(of: id, database)
            return GrantFinding(standing.state?.grant, version: last?.version ?? 0, wanted: version)
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
    /// - Throws: ``WritesUnavailableError`` where no change is accepted; what the change throws; an error of the disk.
    func write<Result: Sendable>(
        _ change: @Sendable @escaping (Database) throws -> Result,
        size: Int = 1,
        levels: @Sendable @escaping (Result) -> [UserLevelChange] = { _ in [] }
    ) async throws -> Result {
        if use == .offline, case .unverified = barrier.refusal { try await verify() }
        do {
            return try await commits.write(change, size: size, levels: levels)
        } catch let error as DamagedRowError {
            throw StoreOpenError.damaged(path: file.path, reason: "\(error)")
        }
    }

    package func checkUsable() throws {
        if let refusal = barrier.refusal, refusal.isLasting { throw refusal }
        _ = try read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM user_state LIMIT 1)")
        }
    }
}
