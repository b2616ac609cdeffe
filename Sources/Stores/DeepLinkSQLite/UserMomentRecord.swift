import DeepLinkCore
import DeepLinkStorage
import GRDB

/// A row of `user_moment`: the effective times of a user without a state, from dated deletions that found nothing to
/// delete.
struct UserMomentRecord: FetchableRecord {
    private static let table = "user_moment"

    static let columns = "user_id, as_of, grants, kept_at, checksum"

    /// The maximum number of rows to delete when one is added.
    ///
    /// More rows are deleted than added.
    private static let maximumSweepCount = 64

    let id: UserID

    let kept: KeptMoments

    private init(_ kept: KeptMoments, of id: UserID) {
        self.id = id
        self.kept = kept
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    init(row: Row) throws {
        guard let id = UserID(stored: try row.decode(String.self, atIndex: 0)),
            let kept = KeptMoments(
                level: try row.decode(Int64?.self, atIndex: 1),
                grants: try row.decode(String?.self, atIndex: 2),
                at: Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 3))
            )
        else { throw DamagedRowError(table: Self.table) }
        self.init(kept, of: id)
        guard try row.decode(Int64.self, atIndex: 4) == checksum else { throw DamagedRowError(table: Self.table) }
    }

    private var checksum: Int64 {
        var checksum = RowChecksum(table: Self.table)
        checksum.add(id.text)
        checksum.add(kept.level)
        if let grants = kept.grants { checksum.add(grants) } else { checksum.add(nil as Int64?) }
        checksum.add(kept.time.millisecondsSinceEpoch)
        return checksum.value
    }

    /// Reads the effective times of a user without a state, or `nil` if there are none.
    static func find(_ id: UserID, in database: Database) throws -> KeptMoments? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM user_moment WHERE user_id = ?")
        return try fetchOne(statement, arguments: [id.text])?.kept
    }

    /// Stores the effective times of a user, replacing former ones, and deletes some that are too old or too many.
    static func keep(_ kept: KeptMoments, of id: UserID, limits: UserHistoryLimits, in database: Database) throws {
        try database.cachedStatement(sql: "REPLACE INTO user_moment (\(columns)) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [
                id.text, kept.level, kept.grants, kept.time.millisecondsSinceEpoch,
                UserMomentRecord(kept, of: id).checksum,
            ])
        let last = database.lastInsertedRowID
        try database.cachedStatement(
            sql: """
                DELETE FROM user_moment WHERE sequence IN (
                    SELECT sequence FROM user_moment WHERE kept_at < ? ORDER BY kept_at LIMIT \(maximumSweepCount))
                """
        )
        .execute(arguments: [KeptMoments.horizon(at: kept.time, limits).millisecondsSinceEpoch])
        // Numbers increase by one, so the newest number limits the number of rows.
        try database.cachedStatement(
            sql: """
                DELETE FROM user_moment WHERE sequence IN (
                    SELECT sequence FROM user_moment WHERE sequence <= ? ORDER BY sequence LIMIT \(maximumSweepCount))
                """
        )
        .execute(arguments: [last - Int64(KeptMoments.maximumCount)])
    }

    /// Deletes the effective times of a user without a state.
    static func delete(of id: UserID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM user_moment WHERE user_id = ?").execute(arguments: [id.text])
    }
}

extension Schema {
    /// Adds the effective times of dated deletions that found nothing to delete, and deletes the totals of codes of
    /// links that are or were about a user.
    static func addMoments(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE user_moment (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    user_id TEXT NOT NULL UNIQUE CHECK (length(CAST(user_id AS BLOB)) BETWEEN 1 AND 256),
                    as_of INTEGER, -- of the level; NULL: none
                    grants TEXT CHECK (\(isGrants("grants"))),
                    kept_at INTEGER NOT NULL,
                    checksum INTEGER NOT NULL,
                    CHECK (as_of IS NOT NULL OR grants IS NOT NULL)
                ) STRICT;
                CREATE INDEX user_moment_by_time ON user_moment (kept_at);

                DELETE FROM code_count WHERE code NOT IN (SELECT code FROM short_link WHERE about IS NULL);
                """
        )
    }
}
