import DeepLinkCore
import DeepLinkStorage
import GRDB

/// The rows of `user_moment`: the effective times of users without a state, from dated deletions that found nothing to
/// delete.
enum UserTimestampsRecord {
    static let table = CheckedTable(name: "user_moment", columns: StoredColumnNames.timestamps)

    /// Reads the effective times of a user without a state, or `nil` if there are none.
    static func find(_ id: UserID, in database: Database) throws -> StoredTimestamps? {
        try table.rows("WHERE user_id = ?", [id.text], database).first?.storedTimestamps().kept
    }

    /// Stores the effective times of a user, replacing former ones, and deletes some that are too old or too many.
    static func keep(_ kept: StoredTimestamps, of id: UserID, limits: UserHistoryLimits, in database: Database) throws {
        try table.replace([id.text, kept.level, kept.grants, kept.time.millisecondsSinceEpoch], in: database)
        let horizon = StoredTimestamps.horizon(at: kept.time, limits)
        try table.sweep(before: horizon, storing: StoredTimestamps.maximumCount, in: database)
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
