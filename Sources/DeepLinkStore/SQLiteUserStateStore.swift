package import DeepLinkCore
import Foundation
import GRDB
package import Logging

/// Keeps user states in one SQLite file: WAL, `synchronous=FULL`, every constraint in the schema.
///
/// Writes go through one connection, and are on disk when the call returns (sqlite.org/pragma.html#pragma_synchronous:
/// in WAL mode only FULL syncs at each commit); those that arrive at the same time share a commit. Reads run on
/// connections of their own and wait for no write (sqlite.org/wal.html); none holds its transaction after the call.
/// Other processes may use the file at the same time, but one server alone serves it.
package final class SQLiteUserStateStore: UserStateStore {
    /// Says what the file is opened for.
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
    private let lock: ServingLock?
    private let identity: DatabaseFile.Identity?
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
    ///   - lookLease: for how long after a look for changes of others a level is answered from memory.
    ///   - logger: hears of what shuts the store for changes, and of checks.
    ///   - immediateCheckByteCount: up to which size a server checks the file at once.
    /// - Throws: ``StoreOpenError``, which says what is wrong with the file and what to do.
    package init(
        path: String,
        use: Use = .offline,
        maximumCachedUsers: Int = 100_000,
        lookLease: Duration = UserLevelCache.lease,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() },
        immediateCheckByteCount: Int = 64 << 20
    ) throws(StoreOpenError) {
        let file = DatabaseFile(path)
        do {
            try file.createFolder()
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
            levelReader = UserLevelReader(path: path)
            self.lock = lock
            identity = file.identity
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
            guard mode == fullSynchronous, journal == "wal" else {
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

    /// Says what an error of a call means for the file, where SQLite reports it; another error stays as it is.
    package func explain(_ error: any Error) -> any Error {
        error is DatabaseError ? StoreOpenError(error, path: file.path) : error
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

    /// Shuts the store for changes where its path leads to another file, or to none: they would be lost.
    func checkIdentity() {
        if file.identity != identity { gate.close(.replaced(path: file.path)) }
    }

    package func state(of id: UserID) throws -> UserState? {
        try pool.read { database in try Self.state(of: id, database) }
    }

    package func grant(of id: UserID) throws -> LevelGrant? {
        guard let levels else { return try levelReader.grant(of: id) }
        return try levels.grant(of: id) { try levelReader.grant(of: id) }
    }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM user_state WHERE id > ? ORDER BY id LIMIT ?"
            )
            return try UserStateRecord.fetchAll(statement, arguments: [id?.text ?? "", limit]).map { try $0.state }
        }
    }

    package func history(of id: UserID) throws -> [UserChange] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM user_history WHERE user_id = ? ORDER BY version"
            )
            return try UserHistoryRecord.fetchAll(statement, arguments: [id.text]).map { try $0.change }
        }
    }

    /// Runs a read, which sees one state of the file and waits for no write.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try pool.read(body)
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
        return try await commits.write(change, levels: levels)
    }

    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try await self.write { database in
            try Self.save(write, database)
        } levels: { saved in
            [UserLevelChange(user: write.id, grant: saved.state.grant)]
        }
    }

    /// Replaces several states in one transaction: all of them or, where one cannot be, none.
    ///
    /// - Throws: what ``save(_:)-(UserStateWrite)`` throws, for the first write that cannot be made.
    package func save(_ writes: [UserStateWrite]) async throws {
        try await write { database in
            for write in writes { _ = try Self.save(write, database) }
        } levels: { _ in
            writes.map { UserLevelChange(user: $0.id, grant: $0.grant) }
        }
    }

    private static func save(_ write: UserStateWrite, _ database: Database) throws -> SavedUserState {
        let current = try version(of: write.id, database)
        guard write.precondition.holds(for: current) else {
            throw UserStateWriteRefusal.versionMismatch(current: current)
        }
        let state = UserState(
            id: write.id,
            grant: write.grant,
            // The history of a state ends with the state's own version.
            version: try current.map { $0 + 1 } ?? nextVersion(of: write.id, database),
            updatedAt: write.time
        )
        try UserStateRecord(state).replace(database)
        try UserHistoryRecord(
            UserChange(version: state.version, level: write.grant.level, at: write.time, author: write.author),
            of: write.id
        )
        .insert(database)
        return SavedUserState(state: state, isNew: current == nil)
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        try await write { database in
            let current = try Self.version(of: removal.id, database)
            guard removal.precondition.holds(for: current) else {
                throw UserStateWriteRefusal.versionMismatch(current: current)
            }
            guard current != nil else { return false }
            try database.execute(sql: "DELETE FROM user_state WHERE id = ?", arguments: [removal.id.text])
            let version = try Self.nextVersion(of: removal.id, database)
            try UserHistoryRecord(
                UserChange(version: version, level: nil, at: removal.time, author: removal.author),
                of: removal.id
            )
            .insert(database)
            return true
        } levels: { wasThere in
            wasThere ? [UserLevelChange(user: removal.id, grant: nil)] : []
        }
    }

    package func checkUsable() throws {
        if let refusal = gate.refusal, refusal.isLasting { throw refusal }
        _ = try pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM user_state LIMIT 1)")
        }
    }

    private static func state(of id: UserID, _ database: Database) throws -> UserState? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM user_state WHERE id = ?")
        return try UserStateRecord.fetchOne(statement, arguments: [id.text])?.state
    }

    /// The version of a user's state; `nil` where there is none.
    private static func version(of id: UserID, _ database: Database) throws -> Int? {
        // One number makes no row with the names of its columns, which would cost more than to find it.
        let statement = try database.cachedStatement(sql: "SELECT version FROM user_state WHERE id = ?")
        return try Int.fetchOne(statement, arguments: [id.text])
    }

    /// The version of the next change of a user; deletions count, so a version never means two states.
    private static func nextVersion(of id: UserID, _ database: Database) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT coalesce(max(version), 0) + 1 FROM user_history WHERE user_id = ?"
        )
        return try Int.fetchOne(statement, arguments: [id.text]) ?? 1
    }
}
