import DeepLinkCore
package import DeepLinkStorage
import GRDB
package import Logging

/// A store of user states, service tokens, continuations and short links in one SQLite file: WAL, `synchronous=FULL`,
/// every constraint in the schema.
///
/// Writes use one connection, and are on disk when the call returns (sqlite.org/pragma.html#pragma_synchronous: in WAL
/// mode only FULL syncs at each commit). Simultaneous writes share a commit. Reads use connections of their own and do
/// not wait for writes (sqlite.org/wal.html). Their transactions end before the call returns. Other processes may use
/// the file at the same time, but only one server may serve it.
package final class SQLiteStore: Sendable {
    /// The purpose for which the file is opened.
    package enum Use: Sendable {
        /// A server: takes the lock, and first checks the file if the last server did not end cleanly.
        case serving

        /// A command or a test: leaves the lock to the server.
        case offline
    }

    let file: DatabaseFile
    let pool: DatabasePool
    let use: Use
    let writeSwitch: WriteSwitch
    let log: WriteAheadLog
    let externalChanges: ExternalChangeMonitor
    let logger: Logger
    let levels: UserLevelCache?
    let links: ShortLinkCache?
    let rows: PointReader

    /// The committed texts that short links share.
    let linkTexts = InternedTexts()

    /// The generator of random codes.
    package let codeGenerator: ShortLinkCodeGenerator

    let historyLimits: UserHistoryLimits
    let maximumAnswerCount: Int
    let order: ChangeOrderLog
    package let upgrade: SchemaUpgrade?
    private let lock: ServingLock?
    private let identity: DatabaseFile.Identity?

    /// The identities of the log and its index, which exist from the first access to the file until the last connection
    /// closes.
    private let companions: [DatabaseFile.Identity?]
    private let commits: GroupCommit

    /// Opens a database file, creating it and its folder if they don't exist, and upgrades its schema.
    ///
    /// A file that was not closed cleanly is checked before the first change: immediately if it is small, otherwise by
    /// ``verify()``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - use: Whether a server opens it.
    ///   - maximumCachedUsers: The maximum number of users whose levels and grants a server caches, and of cached short
    ///     links, or 0 to disable the caches.
    ///   - historyLimits: The limits of each user's history.
    ///   - maximumAnswerCount: The maximum number of stored responses to requests with an idempotency key.
    ///   - pollLease: The time after a search for external changes during which levels are read from the cache.
    ///   - codeGenerator: The generator of random codes.
    ///   - observer: The observer of external changes, by default the cache of levels.
    ///   - logger: The logger for refusals of changes, checks, and changes that are left out.
    ///   - immediateCheckByteCount: The size up to which a server checks the file immediately.
    ///   - keepsCopy: Whether a file of an earlier schema is copied beside itself before it is upgraded.
    /// - Throws: ``StoreOpenError``, with the fault of the file and its remedy.
    package init(
        path: String,
        use: Use = .offline,
        maximumCachedUsers: Int = 100_000,
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        maximumAnswerCount: Int = 250_000,
        pollLease: Duration = UserLevelCache.lease,
        codeGenerator: ShortLinkCodeGenerator = .system,
        observer: (any ExternalChangeObserver)? = nil,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() },
        immediateCheckByteCount: Int = 64 << 20,
        copyingBeforeUpgrade keepsCopy: Bool = false
    ) throws(StoreOpenError) {
        do {
            let opening = try StoreOpening(path: path, use: use, logger: logger)
            try opening.requireDurability()
            try opening.requireKnownSchema()
            upgrade = try opening.migrate(keepingCopy: keepsCopy)
            // A command doesn't search for external changes, so it caches nothing.
            let levels =
                use == .serving && maximumCachedUsers > 0
                ? UserLevelCache(capacity: maximumCachedUsers, lease: pollLease) : nil
            let externalChanges = ExternalChangeMonitor(observer: observer ?? levels)
            try opening.start(externalChanges)
            file = opening.file
            pool = opening.pool
            self.use = use
            writeSwitch = opening.writeSwitch
            log = opening.log
            self.externalChanges = externalChanges
            self.logger = logger
            order = ChangeOrderLog(logger)
            self.levels = levels
            self.historyLimits = historyLimits
            self.maximumAnswerCount = maximumAnswerCount
            links = levels.map { _ in ShortLinkCache(capacity: maximumCachedUsers, lease: pollLease) }
            self.codeGenerator = codeGenerator
            rows = PointReader(path: path)
            lock = opening.lock
            identity = file.identity
            companions = file.companions
            commits = GroupCommit(
                pool,
                writeSwitch: writeSwitch,
                log: log,
                externalChanges: externalChanges,
                levels: levels
            )
            if writeSwitch.refusal == nil { try lock?.mark(.serving, of: file) }
            if case .unverified = writeSwitch.refusal, use == .serving,
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

    /// Returns the `synchronous` mode in force on the writing connection: 2 is FULL (sqlite.org/pragma.html).
    ///
    /// Waits for the write in progress.
    package func synchronousMode() throws -> Int? {
        try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    /// Checkpoints the write-ahead log into the database file and closes the file.
    ///
    /// The store must not be used afterwards.
    ///
    /// While changes are refused, the log is not checkpointed, and remains for the check at the next start.
    package func close() throws {
        try rows.close()
        if writeSwitch.refusal == nil, !isServed {
            // Anything not checkpointed, on a full disk for example, is safe in the log.
            do { _ = try pool.writeWithoutTransaction(log.cut) } catch {
                logger.warning("The write-ahead log stays beside the database.", metadata: ["error": "\(error)"])
            }
        }
        guard writeSwitch.refusal == nil else {
            // SQLite checkpoints the log when the last connection closes (sqlite.org/wal.html). The connections stay
            // open until the process ends.
            _ = Unmanaged.passRetained(pool)
            lock?.release(isClean: false)
            return
        }
        try pool.close()
        lock?.release(isClean: file.logByteCount == 0)
    }

    /// Whether a server maintains the log.
    ///
    /// If another process truncated it, that server would have to treat everything as changed.
    package var isServed: Bool {
        guard use == .offline, case .held = ServingLock.state(of: file) else { return false }
        return true
    }

    /// Returns an error of SQLite or of a record with an explanation that names the file.
    ///
    /// Another error is returned unchanged.
    package func explain(_ error: any Error) -> any Error {
        if let damage = StoreOpenError.damage(error, path: file.path) { return damage }
        return error is DatabaseError ? StoreOpenError(error, path: file.path) : error
    }

    /// Opens the barrier if a check found nothing, otherwise closes it permanently.
    func settle(_ finding: String?) {
        if let finding {
            writeSwitch.close(.damaged(path: file.path, finding: finding))
            return
        }
        do {
            try lock?.mark(.serving, of: file)
            writeSwitch.open()
            logger.info("The database was not closed cleanly; it is checked and in order.")
        } catch {
            writeSwitch.close(.failed(path: file.path, reason: "\(error)"))
        }
    }

    /// Stops accepting changes, which would be lost, if the path of the store or of its log refers to another file or
    /// to none.
    ///
    /// The open connections can still read a removed log. Its contents are first checkpointed into the file, unless
    /// another log has taken its place.
    func checkIdentity() async throws {
        if file.identity != identity { writeSwitch.close(.replaced(path: file.path)) }
        let found = file.companions
        guard zip(companions, found).contains(where: { $0 != nil && $0 != $1 }), writeSwitch.refusal?.isLasting != true
        else {
            return
        }
        if found.first == .some(nil) { try await pool.writeWithoutTransaction { [log] in log.move($0) } }
        writeSwitch.close(.logRemoved(path: file.path))
    }

    package func state(of id: UserID) throws -> UserState? {
        try read { database in try StoredUser(of: id, database).state }
    }

    package func access(of id: UserID) throws -> UserAccess? {
        try explaining {
            guard let levels else { return try rows.access(of: id) }
            return try levels.access(of: id) { try rows.access(of: id) }
        }
    }

    package func access(of id: UserID, atLeast version: Int) throws -> Answer<AccessLookupResult> {
        guard version > 0 else { return .ready(.current(try access(of: id))) }
        return try read { database in
            let user = try StoredUser(of: id, database).record(of: id, database)
            return .ready(AccessLookupResult(user.access, version: user.last?.version ?? 0, wanted: version))
        }
    }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        try read { database in try UserStateRecord.states(after: id, limit: limit, database) }
    }

    package func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        try read { database in try UserHistoryRecord.changes(of: id, after: version, limit: limit, database) }
    }

    /// Runs a read, which sees one snapshot of the file and does not wait for writes.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try explaining { try pool.read(body) }
    }

    /// Runs a closure.
    ///
    /// Errors caused by damage are changed to name the database.
    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw StoreOpenError.damage(error, path: file.path) ?? error
        }
    }

    /// Runs a change atomically, as ``GroupCommit/write(_:size:levels:)`` does.
    ///
    /// - Throws: The same errors, but of damage, an error that names the database.
    func write<Result: Sendable>(
        _ change: @Sendable @escaping (Database) throws -> Result,
        size: Int = 1,
        levels: @Sendable @escaping (Result) -> [UserLevelChange] = { _ in [] }
    ) async throws -> Result {
        if use == .offline, case .unverified = writeSwitch.refusal { try await verify() }
        do {
            return try await commits.write(change, size: size, levels: levels)
        } catch let error as DamagedRowError {
            throw StoreOpenError.damaged(path: file.path, reason: "\(error)")
        }
    }

    package func checkUsable() throws {
        if let refusal = writeSwitch.refusal, refusal.isLasting { throw refusal }
        _ = try read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM user_state LIMIT 1)")
        }
    }

    package var refusesWrites: Bool { writeSwitch.refusal != nil || commits.writeHealth.refuses }
}

extension SQLiteStore: OpenStore {
    package func report() throws -> (properties: Logger.Metadata, warnings: [String]) {
        let synchronous = try synchronousMode() ?? 0
        return (
            [
                "file": "\(file.path)", "synchronous": .stringConvertible(synchronous),
                "logBytes": .stringConvertible(logByteCount),
            ],
            isOpenToOthers
                ? ["Other users of this machine may read the database; take their right away (chmod 600)."] : []
        )
    }

    package var measures: (logByteCount: Int?, changeFeedAge: Double?) { (logByteCount, levels?.age) }

    package func maintain(_ logger: Logger) async { await StoreMaintenance(store: self, logger: logger).run() }
}
