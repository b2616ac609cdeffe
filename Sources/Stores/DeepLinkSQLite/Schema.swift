import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// The migrations of the database file.
///
/// Existing migrations never change.
enum Schema {
    /// The steps from an empty file to the current schema.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Levels are stored by rank (0 none … 3 premiumUser), and by name since step 7. Times are in milliseconds since
        // 1970. STRICT makes SQLite check the types (sqlite.org/stricttables.html). Text compares as bytes (BINARY).
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
        // A row is a continuation that a user tried to redeem, until it expires.
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
        // Tokens remain when they are revoked or expire, so that a server that has required credentials once always
        // does.
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
        migrator.registerMigration("4 checksums", migrate: addChecksums)
        migrator.registerMigration("5 answers and erasure", migrate: addAnswers)
        // A column's CHECK can only be changed with a new table (sqlite.org/lang_altertable.html §7).
        migrator.registerMigration("6 monitors") { database in
            try database.execute(
                sql: """
                    CREATE TABLE service_token_of_any_role (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),
                        digest BLOB NOT NULL CHECK (length(digest) = 32),
                        role TEXT NOT NULL CHECK (role IN ('resolver', 'monitor', 'admin')),
                        note TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        revoked_at INTEGER,
                        checksum INTEGER NOT NULL DEFAULT 0
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO service_token_of_any_role
                    SELECT id, digest, role, note, created_at, expires_at, revoked_at, checksum FROM service_token;
                    DROP TABLE service_token;
                    ALTER TABLE service_token_of_any_role RENAME TO service_token;
                    """
            )
        }
        migrator.registerMigration("7 level names", migrate: nameLevels)
        migrator.registerMigration("8 level renames", migrate: addLevelRenames)
        migrator.registerMigration("9 grants", migrate: addGrants)
        migrator.registerMigration("10 counts", migrate: addCounts)
        migrator.registerMigration("11 short links", migrate: addShortLinks)
        migrator.registerMigration("12 audit", migrate: addAudit)
        migrator.registerMigration("13 moments", migrate: addMoments)
        return migrator
    }

    /// Checks that the list of tables is reliable.
    ///
    /// Every entry has a type and a name: GRDB ends the process if one is NULL. The list is empty only if the file is,
    /// and otherwise has the table of migrations. Without this check, damage to the list or to one of its pages would
    /// turn a file with users and tokens into a new database.
    ///
    /// - Throws: ``DamagedRowError`` if the list isn't reliable.
    static func requireSoundness(_ database: Database) throws {
        let isEmpty = try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
        let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let unused = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        // The first page contains the list itself.
        if isEmpty, pages > 1, unused != pages - 1 { throw DamagedRowError(table: "sqlite_master") }
        let isDamaged = try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE typeof(type) <> 'text' OR typeof(name) <> 'text')"
        )
        if isDamaged != false { throw DamagedRowError(table: "sqlite_master") }
        if !isEmpty, try !database.tableExists("grdb_migrations") { throw DamagedRowError(table: "sqlite_master") }
    }

    /// Adds the effective times of states, stored responses to requests with an idempotency key, and the remains of
    /// erased users.
    ///
    /// If `as_of` is NULL, the effective time of a state is its last change, and the effective time of a change is its
    /// own time.
    private static func addAnswers(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE user_state ADD COLUMN as_of INTEGER;
                ALTER TABLE user_history ADD COLUMN as_of INTEGER;

                DROP TRIGGER user_state_by_hand;
                CREATE TRIGGER user_state_by_hand
                AFTER UPDATE OF id, level, valid_until, level_after, version, updated_at, as_of ON user_state
                WHEN new.checksum IS old.checksum AND new.checksum IS NOT NULL
                BEGIN
                    UPDATE user_state SET checksum = NULL WHERE id = new.id;
                END;

                CREATE TABLE kept_answer (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    caller TEXT NOT NULL,
                    method TEXT NOT NULL,
                    path TEXT NOT NULL,
                    key TEXT NOT NULL CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 256),
                    digest BLOB NOT NULL CHECK (length(digest) = 32),
                    status INTEGER NOT NULL CHECK (status BETWEEN 200 AND 299),
                    tag TEXT,
                    body BLOB NOT NULL,
                    user_id TEXT NOT NULL,
                    kept_at INTEGER NOT NULL,
                    checksum INTEGER NOT NULL,
                    UNIQUE (caller, method, path, key)
                ) STRICT;
                CREATE INDEX kept_answer_by_time ON kept_answer (kept_at);
                CREATE INDEX kept_answer_by_user ON kept_answer (user_id);
                CREATE INDEX continuation_by_user ON continuation (user_id);

                CREATE TABLE erased_user (
                    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                    version INTEGER NOT NULL CHECK (version >= 1),
                    as_of INTEGER NOT NULL,
                    checksum INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE erasure_key (
                    number INTEGER PRIMARY KEY CHECK (number = 1),
                    key BLOB NOT NULL CHECK (length(key) = 32),
                    checksum INTEGER NOT NULL
                ) STRICT;
                """
        )
        try ErasedUserRecord.makeKey(database)
        try StoredNumber.erasures.set(0, in: database)
    }

    /// The trigger that adds the deletion of a user by hand to the history.
    static let deletionByHand = """
        CREATE TRIGGER user_state_deleted_by_hand AFTER DELETE ON user_state
        WHEN (SELECT level FROM user_history WHERE user_id = old.id ORDER BY version DESC LIMIT 1) IS NOT NULL
        BEGIN
            INSERT INTO user_history (user_id, version, at, author) VALUES (
                old.id, (SELECT max(version) + 1 FROM user_history WHERE user_id = old.id),
                CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER), 'SQL');
        END;
        """

    /// Adds a checksum to every row (``RowChecksum``), the whole grant to the history, and the counts of stored rows.
    ///
    /// Rows written manually, with `sqlite3` for example, are accepted without a checksum. Deleting a user manually
    /// adds the history row of the deletion.
    private static func addChecksums(_ database: Database) throws {
        let checksum = DatabaseFunction("waymark_checksum", pure: true) { values in
            var checksum = RowChecksum(table: values.first.flatMap(String.fromDatabaseValue) ?? "")
            for value in values.dropFirst() { value.add(to: &checksum) }
            return checksum.value
        }
        database.add(function: checksum)
        defer { database.remove(function: checksum) }
        try database.execute(
            sql: """
                ALTER TABLE user_state ADD COLUMN checksum INTEGER;
                UPDATE user_state SET checksum = waymark_checksum(
                    'user_state', id, level, valid_until, level_after, version, updated_at);

                CREATE TRIGGER user_state_by_hand
                AFTER UPDATE OF id, level, valid_until, level_after, version, updated_at ON user_state
                WHEN new.checksum IS old.checksum AND new.checksum IS NOT NULL
                BEGIN
                    UPDATE user_state SET checksum = NULL WHERE id = new.id;
                END;

                ALTER TABLE user_history ADD COLUMN valid_until INTEGER CHECK (valid_until IS NULL OR level IS NOT NULL);
                ALTER TABLE user_history ADD COLUMN level_after INTEGER CHECK (level_after BETWEEN 0 AND level);
                ALTER TABLE user_history ADD COLUMN checksum INTEGER;
                -- Of earlier changes only the level was kept; what the last one set is in the state.
                UPDATE user_history SET (valid_until, level_after) = (state.valid_until, state.level_after)
                FROM user_state AS state
                WHERE state.id = user_id AND state.version = user_history.version AND state.level = user_history.level
                    AND (state.valid_until IS NOT NULL OR state.level_after IS NOT NULL);
                UPDATE user_history SET checksum = waymark_checksum(
                    'user_history', user_id, version, level, valid_until, level_after, at, author);

                \(deletionByHand)

                ALTER TABLE continuation ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
                UPDATE continuation SET checksum = waymark_checksum('continuation', id, user_id, expires_at, is_spent);

                ALTER TABLE service_token ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
                UPDATE service_token SET checksum = waymark_checksum(
                    'service_token', id, digest, role, note, created_at, expires_at, revoked_at);

                CREATE TABLE stored_number (
                    name TEXT NOT NULL PRIMARY KEY,
                    value INTEGER NOT NULL,
                    checksum INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """
        )
        let count = try Int64.fetchOne(database, sql: "SELECT count(*) FROM service_token") ?? 0
        try StoredNumber.serviceTokens.set(count, in: database)
        try StoredNumber.forgottenUntil.set(.min, in: database)
    }
}

extension Schema {
    /// Adds the audit log names of users, and the day on which a service token was last used.
    ///
    /// That day does not affect authorization, so the checksum of a token doesn't cover it.
    static func addAudit(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE audit_name (
                    user_id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(user_id AS BLOB)) BETWEEN 1 AND 256),
                    name TEXT NOT NULL UNIQUE CHECK (length(name) = 26),
                    checksum INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;

                ALTER TABLE service_token ADD COLUMN last_used INTEGER
                    CHECK (last_used BETWEEN 0 AND 2932896); -- in days since 1970-01-01
                """
        )
    }

    /// Adds the counts of uses of links: by day, route, label and outcome, and by code and outcome.
    ///
    /// Counts do not affect requests, so their rows lack checksums, and adding to one stays a single statement.
    static func addCounts(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE link_count (
                    day INTEGER NOT NULL, -- since 1970-01-01
                    route TEXT NOT NULL, -- '': the link leads nowhere
                    label TEXT NOT NULL, -- '': no short link, or one without a label
                    outcome TEXT NOT NULL,
                    count INTEGER NOT NULL CHECK (count >= 1),
                    PRIMARY KEY (day, route, label, outcome)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE code_count (
                    code TEXT NOT NULL,
                    outcome TEXT NOT NULL,
                    count INTEGER NOT NULL CHECK (count >= 1),
                    PRIMARY KEY (code, outcome)
                ) STRICT, WITHOUT ROWID;
                """
        )
    }

    /// Adds the grants of users and of service tokens, and the names of the grants in the server's catalog.
    ///
    /// Users' grants are a column beside the level (`GrantsCoding`), so that a single statement reads or writes a user.
    /// Adding the column does not rewrite rows.
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
                """
        )
        try replaceTokens(
            by: "service_token_with_grants",
            roles: "'resolver', 'monitor', 'granter', 'admin'",
            grants: "NULL",
            database
        )
    }

    /// Replaces the table of service tokens by one that allows more roles.
    ///
    /// A CHECK can only be changed with a new table (sqlite.org/lang_altertable.html §7). The roles, and the grants of
    /// former tokens, are SQL.
    static func replaceTokens(by table: String, roles: String, grants: String, _ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE \(table) (
                    id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),
                    digest BLOB NOT NULL CHECK (length(digest) = 32),
                    role TEXT NOT NULL CHECK (role IN (\(roles))),
                    note TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    expires_at INTEGER,
                    revoked_at INTEGER,
                    grants TEXT CHECK (\(isGrants("grants"))),
                    checksum INTEGER NOT NULL DEFAULT 0,
                    CHECK ((role = 'granter') = (grants IS NOT NULL))
                ) STRICT, WITHOUT ROWID;
                INSERT INTO \(table)
                SELECT id, digest, role, note, created_at, expires_at, revoked_at, \(grants), checksum FROM service_token;
                DROP TABLE service_token;
                ALTER TABLE \(table) RENAME TO service_token;
                """
        )
    }

    /// Returns the constraint of a column with grants.
    static func isGrants(_ column: String) -> String {
        """
        length(\(column)) BETWEEN 1 AND \(GrantsCoding.maximumByteCount) AND \(column) NOT GLOB '*[^A-Za-z0-9_@+! -]*'
        """
    }
}
