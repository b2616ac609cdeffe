import DeepLinkStorage

/// The steps from an empty database to the current schema.
///
/// Existing steps never change, and each step must keep the replicas of the previous version working.
///
/// They use only features common to PostgreSQL, CockroachDB and YugabyteDB: no advisory locks, no triggers, no types of
/// just one of them. Replicas that start together take turns with a row lock.
enum Migrations {
    /// The schema version that this program uses.
    static var version: Int { steps.count }

    /// The time limit of an upgrade of existing tables, which may have many rows.
    private static let patience = Duration.seconds(3600)

    /// Upgrades the schema if it isn't current.
    ///
    /// An upgrade of an existing schema may end after the deadline. If it were interrupted, it would start again at
    /// each start.
    ///
    /// - Parameters:
    ///   - connection: A connection with a role that owns the schema, if an upgrade is needed.
    ///   - last: The version to stop at.
    ///   - announce: Called with the current version before an upgrade of an existing schema, even if another replica
    ///     performs it.
    /// - Returns: The upgrade, or `nil` for a database that is new or up to date.
    /// - Throws: ``PostgresError``.
    @discardableResult
    static func run(
        _ connection: PostgresConnection,
        upTo last: Int = version,
        announcing announce: (_ former: Int) -> Void = { _ in }
    ) throws(PostgresError) -> SchemaUpgrade? {
        if let found = try found(connection) {
            // A role without CREATE rights suffices if the schema is current.
            if found >= last {
                guard found <= version else { throw .newerSchema }
                return nil
            }
            if found > 0 {
                announce(found)
                connection.deadline = max(connection.deadline, MonotonicInstant.now.advanced(by: patience))
            }
        }
        let start = ContinuousClock.now
        try repeated(connection) { () throws(PostgresError) in
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS waymark_schema (
                    number integer PRIMARY KEY CHECK (number = 1), version bigint NOT NULL)
                """
            )
            try connection.run("INSERT INTO waymark_schema (number, version) VALUES (1, 0) ON CONFLICT DO NOTHING")
        }
        var former = last
        try repeated(connection) { () throws(PostgresError) in
            try connection.rollingBack { () throws(PostgresError) in former = try migrate(connection, upTo: last) }
        }
        return SchemaUpgrade(from: former, to: last, in: ContinuousClock.now - start)
    }

    /// Reads the version of the existing schema, or `nil` if there is none.
    static func found(_ connection: PostgresConnection) throws(PostgresError) -> Int? {
        do throws(PostgresError) {
            return try connection.run("SELECT version FROM waymark_schema WHERE number = 1").first
                .map {
                    row throws(PostgresError) in Int(try row.number(0))
                }
        } catch {
            // The table doesn't exist.
            if error.isRefusal("42P01") { return nil }
            throw error
        }
    }

    /// Upgrades the schema in a transaction, and returns its former version.
    private static func migrate(_ connection: PostgresConnection, upTo last: Int) throws(PostgresError) -> Int {
        let rows = try connection.run(["BEGIN", "SELECT version FROM waymark_schema WHERE number = 1 FOR UPDATE"])
        let found = Int(try rows[1][0].number(0))
        guard found <= version else { throw .newerSchema }
        for step in steps.prefix(last).dropFirst(found) {
            for statement in step { try connection.run(statement) }
        }
        try connection.run([
            Statement(
                "UPDATE waymark_schema SET version = $1::bigint WHERE number = 1 AND version < $1::bigint",
                .number(Int64(last))
            ),
            "COMMIT",
        ])
        return found
    }

    /// Runs a closure again after a conflict with other transactions.
    ///
    /// Creating the same table at the same time is a conflict too.
    private static func repeated(
        _ connection: PostgresConnection,
        _ body: () throws(PostgresError) -> Void
    ) throws(PostgresError) {
        while true {
            do throws(PostgresError) {
                return try body()
            } catch {
                let isRace = error.isPassing || ["42P07", "42710", "XX000"].contains { error.isRefusal($0) }
                guard isRace, MonotonicInstant.now < connection.deadline else { throw error }
            }
        }
    }

    /// The statements of each step.
    ///
    /// Levels are stored by rank (0 none … 3 premiumUser), and also by name since step 3. Times are in milliseconds
    /// since 1970. Text is compared as bytes.
    private static var steps: [[Statement]] {
        [
            [
                """
                CREATE TABLE user_state (
                    id text COLLATE "C" NOT NULL PRIMARY KEY CHECK (octet_length(id) BETWEEN 1 AND 256),
                    level smallint NOT NULL CHECK (level BETWEEN 0 AND 3),
                    valid_until bigint,
                    level_after smallint CHECK (level_after BETWEEN 0 AND level),
                    version bigint NOT NULL CHECK (version >= 1),
                    updated_at bigint NOT NULL,
                    as_of bigint NOT NULL)
                """,
                """
                CREATE TABLE user_history (
                    user_id text COLLATE "C" NOT NULL,
                    version bigint NOT NULL CHECK (version >= 1),
                    level smallint CHECK (level BETWEEN 0 AND 3),
                    valid_until bigint CHECK (valid_until IS NULL OR level IS NOT NULL),
                    level_after smallint CHECK (level_after BETWEEN 0 AND level),
                    at bigint NOT NULL,
                    author text NOT NULL,
                    as_of bigint,
                    transaction_id bigint NOT NULL,
                    PRIMARY KEY (user_id, version))
                """,
                "CREATE INDEX user_history_by_transaction ON user_history (transaction_id)",
                """
                CREATE TABLE continuation (
                    id text COLLATE "C" NOT NULL PRIMARY KEY CHECK (octet_length(id) = 32),
                    user_id text COLLATE "C" NOT NULL,
                    expires_at bigint NOT NULL,
                    is_spent boolean NOT NULL)
                """,
                "CREATE INDEX continuation_by_expiry ON continuation (expires_at)",
                "CREATE INDEX continuation_by_user ON continuation (user_id)",
                """
                CREATE TABLE service_token (
                    id text COLLATE "C" NOT NULL PRIMARY KEY CHECK (octet_length(id) = 12),
                    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
                    role text NOT NULL,
                    note text NOT NULL,
                    created_at bigint NOT NULL,
                    expires_at bigint,
                    revoked_at bigint)
                """,
                "CREATE TABLE stored_number (name text PRIMARY KEY, value bigint NOT NULL)",
                "CREATE TABLE stored_secret (name text PRIMARY KEY, value bytea NOT NULL)",
                "INSERT INTO stored_number (name, value) VALUES ('continuations forgotten until', \(Int64.min))",
            ],
            [
                """
                CREATE TABLE kept_answer (
                    caller text COLLATE "C" NOT NULL,
                    method text COLLATE "C" NOT NULL,
                    path text COLLATE "C" NOT NULL,
                    key text COLLATE "C" NOT NULL,
                    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
                    status smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
                    tag text,
                    body bytea NOT NULL,
                    user_id text COLLATE "C" NOT NULL,
                    kept_at bigint NOT NULL,
                    PRIMARY KEY (caller, method, path, key))
                """,
                "CREATE INDEX kept_answer_by_time ON kept_answer (kept_at)",
                "CREATE INDEX kept_answer_by_user ON kept_answer (user_id)",
                """
                CREATE TABLE erased_user (
                    digest bytea NOT NULL PRIMARY KEY CHECK (octet_length(digest) = 32),
                    version bigint NOT NULL CHECK (version >= 1),
                    as_of bigint NOT NULL,
                    transaction_id bigint NOT NULL)
                """,
                "CREATE INDEX erased_user_by_transaction ON erased_user (transaction_id)",
                // A row for each transaction of this program, which shows whether it was committed.
                Statement(
                    "CREATE TABLE commit_mark (id uuid PRIMARY KEY, at bigint NOT NULL, is_fence boolean NOT NULL)"
                ),
                "CREATE INDEX commit_mark_by_time ON commit_mark (at)",
            ],
            // Names are stored beside the ranks, which replicas of the previous version still read and write. A name
            // counts only together with the version and the rank that it was written with (``AccessColumns``). Existing
            // rows keep their ranks until they are written again. Adding columns does not rewrite rows.
            [
                """
                ALTER TABLE user_state
                    ADD COLUMN level_name text COLLATE "C" CHECK (\(isName("level_name"))),
                    ADD COLUMN level_after_name text COLLATE "C" CHECK (\(isName("level_after_name"))),
                    ADD COLUMN implied_level_after text COLLATE "C" CHECK (\(isName("implied_level_after"))),
                    ADD COLUMN named_version bigint,
                    ADD COLUMN named_level smallint
                """,
                """
                ALTER TABLE user_history
                    ADD COLUMN level_name text COLLATE "C" CHECK (\(isName("level_name"))),
                    ADD COLUMN level_after_name text COLLATE "C" CHECK (\(isName("level_after_name"))),
                    ADD COLUMN implied_level_after text COLLATE "C" CHECK (\(isName("implied_level_after")))
                """,
                """
                CREATE TABLE level_name (
                    rank smallint PRIMARY KEY CHECK (rank BETWEEN 0 AND 15),
                    name text COLLATE "C" NOT NULL CHECK (\(isName("name"))))
                """,
            ],
            // The renamings of levels, for replicas with catalogs that have the former names.
            [
                """
                CREATE TABLE level_rename (
                    old text COLLATE "C" NOT NULL CHECK (\(isName("old"))),
                    new text COLLATE "C" NOT NULL CHECK (\(isName("new")) AND new <> old),
                    PRIMARY KEY (old, new))
                """
            ],
            // Grants are a column of their own, which replicas of the previous version do not change.
            [
                """
                ALTER TABLE user_state ADD COLUMN grants text COLLATE "C" CHECK (\(isGrants("grants")))
                """,
                """
                ALTER TABLE user_history ADD COLUMN grants text COLLATE "C" CHECK (\(isGrants("grants")))
                """,
                """
                CREATE TABLE grant_name (
                    place smallint PRIMARY KEY CHECK (place BETWEEN 0 AND 31),
                    name text COLLATE "C" NOT NULL CHECK (\(isName("name"))))
                """,
                """
                ALTER TABLE service_token
                    ADD COLUMN grants text COLLATE "C" CHECK ((role = 'granter') = (grants IS NOT NULL))
                """,
            ],
            // The counts of uses of links. An empty route means that the link failed, and an empty label that it has no
            // label.
            [
                """
                CREATE TABLE link_count (
                    day integer NOT NULL,
                    route text COLLATE "C" NOT NULL,
                    label text COLLATE "C" NOT NULL,
                    outcome text COLLATE "C" NOT NULL,
                    count bigint NOT NULL CHECK (count >= 1),
                    PRIMARY KEY (day, route, label, outcome))
                """,
                """
                CREATE TABLE code_count (
                    code text COLLATE "C" NOT NULL,
                    outcome text COLLATE "C" NOT NULL,
                    count bigint NOT NULL CHECK (count >= 1),
                    PRIMARY KEY (code, outcome))
                """,
            ],
            ShortLinkMigration.statements,
            // The audit log names of users, and the day on which a token was last used.
            [
                """
                CREATE TABLE audit_name (
                    user_id text COLLATE "C" NOT NULL PRIMARY KEY,
                    name text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(name) = 26))
                """,
                "ALTER TABLE service_token ADD COLUMN last_used integer",
            ],
            // The effective times of dated deletions that found nothing to delete. Replicas of the previous version
            // ignore them.
            [
                """
                CREATE TABLE user_moment (
                    user_id text COLLATE "C" NOT NULL PRIMARY KEY CHECK (octet_length(user_id) BETWEEN 1 AND 256),
                    as_of bigint,
                    grants text COLLATE "C" CHECK (\(isGrants("grants"))),
                    kept_at bigint NOT NULL,
                    CHECK (as_of IS NOT NULL OR grants IS NOT NULL))
                """,
                "CREATE INDEX user_moment_by_time ON user_moment (kept_at)",
                // Codes of links that are or were about a user have no totals.
                Statement(
                    """
                    DELETE FROM code_count WHERE NOT EXISTS (
                        SELECT 1 FROM short_link WHERE short_link.code = code_count.code AND about IS NULL)
                    """
                ),
            ],
        ]
    }

    /// Returns the constraint of a column with grants: the characters and the length of `GrantsCoding`.
    private static func isGrants(_ column: String) -> String {
        "\(column) ~ '^[A-Za-z0-9_@+! -]+$' AND octet_length(\(column)) <= \(GrantsCoding.maximumByteCount)"
    }

    /// Returns the constraint of a column with the name of a level or a grant.
    private static func isName(_ column: String) -> String { "\(column) ~ '^[A-Za-z][A-Za-z0-9_-]{0,63}$'" }
}
