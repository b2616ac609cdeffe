package import DeepLinkCore
import Foundation
import GRDB

/// Keeps user states in one SQLite file: WAL, `synchronous=FULL`, every constraint in the schema.
///
/// Writes go through one connection, and are on disk when the call returns (sqlite.org/pragma.html#pragma_synchronous:
/// in WAL mode only FULL syncs at each commit); those that arrive at the same time share a commit. Reads run on
/// connections of their own and wait for no write (sqlite.org/wal.html). Other processes may use the file at the
/// same time.
package final class SQLiteUserStateStore: UserStateStore {
    /// How long a write waits for another process before it fails, in seconds.
    private static let busyTimeout: TimeInterval = 5

    private static let fullSynchronous = 2

    private let pool: DatabasePool
    private let commits: GroupCommit

    /// Opens a database file, creating it and its folder where they do not exist, and brings its schema up to date.
    ///
    /// - Throws: ``StoreOpenError``, which says what is wrong with the file and what to do.
    package init(path: String) throws(StoreOpenError) {
        do {
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.busyTimeout)
            configuration.label = "waymark"
            let pool = try DatabasePool(path: path, configuration: configuration)
            try Self.requireFullSynchronous(pool)
            guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
                throw StoreOpenError.newerSchema(path: path)
            }
            try Schema.migrator.migrate(pool)
            self.pool = pool
            commits = GroupCommit(pool)
        } catch let error as StoreOpenError {
            throw error
        } catch {
            throw StoreOpenError(error, path: path)
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
    package func close() throws {
        try pool.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        try pool.close()
    }

    package func state(of id: UserID) throws -> UserState? {
        try pool.read { database in try Self.state(of: id, database) }
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
    func write<Result: Sendable>(_ change: @Sendable @escaping (Database) throws -> Result) async throws -> Result {
        try await commits.write(change)
    }

    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try await self.write { database in try Self.save(write, database) }
    }

    /// Replaces several states in one transaction: all of them or, where one cannot be, none.
    ///
    /// - Throws: what ``save(_:)-(UserStateWrite)`` throws, for the first write that cannot be made.
    package func save(_ writes: [UserStateWrite]) async throws {
        try await write { database in
            for write in writes { _ = try Self.save(write, database) }
        }
    }

    private static func save(_ write: UserStateWrite, _ database: Database) throws -> SavedUserState {
        let existing = try state(of: write.id, database)
        guard write.precondition.holds(for: existing?.version) else {
            throw UserStateWriteRefusal.versionMismatch(current: existing?.version)
        }
        let state = UserState(
            id: write.id,
            grant: write.grant,
            version: try nextVersion(of: write.id, database),
            updatedAt: write.time
        )
        try UserStateRecord(state).replace(database)
        try UserHistoryRecord(
            UserChange(version: state.version, level: write.grant.level, at: write.time, author: write.author),
            of: write.id
        )
        .insert(database)
        return SavedUserState(state: state, isNew: existing == nil)
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        try await write { database in
            let existing = try Self.state(of: removal.id, database)
            guard removal.precondition.holds(for: existing?.version) else {
                throw UserStateWriteRefusal.versionMismatch(current: existing?.version)
            }
            guard existing != nil else { return false }
            try database.execute(sql: "DELETE FROM user_state WHERE id = ?", arguments: [removal.id.text])
            let version = try Self.nextVersion(of: removal.id, database)
            try UserHistoryRecord(
                UserChange(version: version, level: nil, at: removal.time, author: removal.author),
                of: removal.id
            )
            .insert(database)
            return true
        }
    }

    package func checkUsable() throws {
        _ = try pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM user_state LIMIT 1)")
        }
    }

    private static func state(of id: UserID, _ database: Database) throws -> UserState? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM user_state WHERE id = ?")
        return try UserStateRecord.fetchOne(statement, arguments: [id.text])?.state
    }

    /// The version of the next change of a user; deletions count, so a version never means two states.
    private static func nextVersion(of id: UserID, _ database: Database) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT coalesce(max(version), 0) + 1 FROM user_history WHERE user_id = ?"
        )
        return try Int.fetchOne(statement, arguments: [id.text]) ?? 1
    }
}
