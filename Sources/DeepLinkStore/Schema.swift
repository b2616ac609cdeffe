import GRDB

/// Holds the migrations of the database file; they are only ever added to.
enum Schema {
    /// The steps from an empty file to the current schema.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Levels are stored by rank (0 none … 3 premiumUser), moments as milliseconds since 1970.
        // STRICT makes SQLite check the types (sqlite.org/stricttables.html); text compares as bytes (BINARY).
        migrator.registerMigration("1 user states") { database in
            try database.execute(
                sql: """
                    CREATE TABLE user_state (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 256),
                        level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 3),
                        valid_until INTEGER,
                        level_after INTEGER CHECK (level_after BETWEEN 0 AND level),
                        version INTEGER NOT NULL CHECK (version >= 1),
                        updated_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE user_history (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        user_id TEXT NOT NULL,
                        version INTEGER NOT NULL CHECK (version >= 1),
                        level INTEGER CHECK (level BETWEEN 0 AND 3), -- NULL: the user was deleted
                        at INTEGER NOT NULL,
                        author TEXT NOT NULL,
                        UNIQUE (user_id, version)
                    ) STRICT;
                    """
            )
        }
        // A row stands for a continuation that someone tried to redeem, until it expires.
        migrator.registerMigration("2 continuations") { database in
            try database.execute(
                sql: """
                    CREATE TABLE continuation (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
                        user_id TEXT NOT NULL,
                        expires_at INTEGER NOT NULL,
                        is_spent INTEGER NOT NULL DEFAULT 0 CHECK (is_spent IN (0, 1))
                    ) STRICT, WITHOUT ROWID;

                    CREATE INDEX continuation_by_expiry ON continuation (expires_at);
                    """
            )
        }
        // Tokens stay when they are revoked or expire, so that a server which once told callers apart never stops to.
        migrator.registerMigration("3 service tokens") { database in
            try database.execute(
                sql: """
                    CREATE TABLE service_token (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),
                        digest BLOB NOT NULL CHECK (length(digest) = 32),
                        role TEXT NOT NULL CHECK (role IN ('resolver', 'admin')),
                        note TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        revoked_at INTEGER
                    ) STRICT, WITHOUT ROWID;
                    """
            )
        }
        return migrator
    }
}
