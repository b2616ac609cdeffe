import DeepLinkCore
import DeepLinkStorage
import GRDB

extension Schema {
    /// Adds the grants of users and of service tokens, and the names of the grants in the server's catalog.
    ///
    /// Users' grants are a column beside the level (`GrantsText`), so that a single statement reads or writes a user.
    /// Adding the column does not rewrite rows. The roles of tokens are a CHECK, which needs a new table
    /// (sqlite.org/lang_altertable.html §7).
    static func addGrants(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE user_state ADD COLUMN grants TEXT CHECK (\(isGrants("grants")));
                ALTER TABLE user_history ADD COLUMN grants TEXT
                    CHECK (grants IS NULL OR level IS NOT NULL AND \(isGrants("grants")));

                DROP TRIGGER user_state_by_hand;
                CREATE TRIGGER user_state_by_hand
                AFTER UPDATE OF id, level, valid_until, level_after, implied_level_after, grants, version, updated_at,
                    as_of
                ON user_state
                WHEN new.checksum IS old.checksum AND new.checksum IS NOT NULL
                BEGIN
                    UPDATE user_state SET checksum = NULL WHERE id = new.id;
                END;

                CREATE TABLE grant_name (
                    place INTEGER NOT NULL PRIMARY KEY CHECK (place BETWEEN 0 AND 31),
                    name TEXT NOT NULL UNIQUE CHECK (\(isName("name"))),
                    checksum INTEGER NOT NULL
                ) STRICT;

                CREATE TABLE service_token_with_grants (
                    id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),
                    digest BLOB NOT NULL CHECK (length(digest) = 32),
                    role TEXT NOT NULL CHECK (role IN ('resolver', 'monitor', 'granter', 'admin')),
                    note TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    expires_at INTEGER,
                    revoked_at INTEGER,
                    grants TEXT CHECK (\(isGrants("grants"))),
                    checksum INTEGER NOT NULL DEFAULT 0,
                    CHECK ((role = 'granter') = (grants IS NOT NULL))
                ) STRICT, WITHOUT ROWID;
                INSERT INTO service_token_with_grants
                SELECT id, digest, role, note, created_at, expires_at, revoked_at, NULL, checksum FROM service_token;
                DROP TABLE service_token;
                ALTER TABLE service_token_with_grants RENAME TO service_token;
                """
        )
    }

    /// Returns the constraint of a column with grants.
    static func isGrants(_ column: String) -> String {
        """
        length(\(column)) BETWEEN 1 AND \(GrantsText.maximumByteCount) AND \(column) NOT GLOB '*[^A-Za-z0-9_@+! -]*'
        """
    }
}
