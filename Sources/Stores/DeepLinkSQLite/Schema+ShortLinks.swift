import GRDB

extension Schema {
    /// Adds short links and the role of their publishers.
    ///
    /// The row of a short link must be small. Texts that many links share, such as the shapes of their stacks, are in a
    /// table of their own (``InternedTexts``), and so are the changes, from the first one on. The numbers define the
    /// order of lists and are never reused. A small index finds codes with upper-case letters without case, and all
    /// other codes are found directly.
    static func addShortLinks(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE short_link_text (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3), -- shape, host, label, author
                    text TEXT NOT NULL,
                    checksum INTEGER NOT NULL,
                    UNIQUE (kind, text)
                ) STRICT;

                CREATE TABLE short_link (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    code TEXT NOT NULL CHECK (\(isCode("code"))),
                    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2), -- drawn, given, imported
                    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
                    shape INTEGER NOT NULL,
                    parameters BLOB NOT NULL,
                    target TEXT NOT NULL CHECK (length(CAST(target AS BLOB)) <= 8192),
                    host INTEGER,
                    label INTEGER,
                    author ANY NOT NULL CHECK (typeof(author) = CASE WHEN about IS NULL THEN 'integer' ELSE 'text' END),
                    name TEXT CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 256),
                    terms BLOB CHECK ((terms IS NULL) = (name IS NULL) AND length(terms) <= 32),
                    about TEXT CHECK (length(CAST(about AS BLOB)) BETWEEN 1 AND 256),
                    expires_at INTEGER,
                    signed_until INTEGER, -- NULL: no signature
                    version INTEGER NOT NULL CHECK (version >= 1),
                    created_at INTEGER NOT NULL,
                    updated_at INTEGER, -- NULL: created_at
                    checksum INTEGER
                ) STRICT;
                CREATE UNIQUE INDEX short_link_by_code ON short_link (code);
                CREATE UNIQUE INDEX short_link_by_name ON short_link (name) WHERE name IS NOT NULL;
                CREATE INDEX short_link_by_folded_code ON short_link (lower(code)) WHERE code <> lower(code);
                CREATE INDEX short_link_by_shape ON short_link (shape, is_withdrawn);
                CREATE INDEX short_link_by_label ON short_link (label) WHERE label IS NOT NULL;
                CREATE INDEX short_link_by_user ON short_link (about) WHERE about IS NOT NULL;

                CREATE TRIGGER short_link_by_hand
                AFTER UPDATE OF code, kind, is_withdrawn, shape, parameters, target, host, label, author, name, terms,
                    about, expires_at, signed_until, version, created_at, updated_at
                ON short_link
                WHEN new.checksum IS old.checksum AND new.checksum IS NOT NULL
                BEGIN
                    UPDATE short_link SET checksum = NULL WHERE number = new.number;
                END;

                CREATE TABLE short_link_history (
                    code TEXT NOT NULL CHECK (\(isCode("code"))),
                    version INTEGER NOT NULL CHECK (version >= 1),
                    shape INTEGER NOT NULL,
                    parameters BLOB NOT NULL,
                    target TEXT NOT NULL,
                    label TEXT,
                    expires_at INTEGER,
                    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
                    at INTEGER NOT NULL,
                    author TEXT NOT NULL,
                    checksum INTEGER NOT NULL,
                    PRIMARY KEY (code, version)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE erased_short_link (
                    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                    checksum INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- It saves reading links, and decides nothing else, so its rows have no checksum.
                CREATE TABLE short_link_check (
                    shape INTEGER PRIMARY KEY,
                    grounds INTEGER NOT NULL,
                    broken INTEGER NOT NULL CHECK (broken >= 0)
                ) STRICT;
                """
        )
        try replaceTokens(
            by: "service_token_with_publishers",
            roles: "'resolver', 'monitor', 'granter', 'publisher', 'admin'",
            grants: "grants",
            database
        )
        try StoredNumber.shortLinkChanges.set(0, in: database)
    }

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

    /// Returns the constraint of a column with a code.
    private static func isCode(_ column: String) -> String {
        "length(\(column)) BETWEEN 3 AND 128 AND \(column) NOT GLOB '*[^A-Za-z0-9_-]*'"
    }
}
