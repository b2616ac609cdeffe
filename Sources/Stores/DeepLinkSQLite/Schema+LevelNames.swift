import DeepLinkCore
import GRDB

extension Schema {
    /// Stores levels by name, with the level after an end even if the write named none, and adds the level names of the
    /// server's catalog.
    ///
    /// A CHECK can only be changed with a new table (sqlite.org/lang_altertable.html §7). If the old checksum of a row
    /// is wrong, so is the new one, so that damage is still detected.
    static func nameLevels(_ database: Database) throws {
        let functions = [
            DatabaseFunction("waymark_level", argumentCount: 1, pure: true) { values in
                Int64.fromDatabaseValue(values[0]).flatMap(name)
            },
            DatabaseFunction("waymark_named_checksum", pure: true, function: checksum),
        ]
        for function in functions { database.add(function: function) }
        defer { for function in functions { database.remove(function: function) } }
        try database.execute(sql: states)
        try database.execute(sql: changes)
    }

    /// Adds the renamings of levels, for servers with catalogs that have the former names.
    static func addLevelRenames(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE level_rename (
                    old TEXT NOT NULL CHECK (\(isName("old"))),
                    new TEXT NOT NULL CHECK (\(isName("new")) AND new <> old),
                    checksum INTEGER NOT NULL,
                    PRIMARY KEY (old, new)
                ) STRICT, WITHOUT ROWID;
                """
        )
    }

    /// Returns the name of a level that was stored by rank.
    private static func name(_ rank: Int64) -> String? {
        guard let rank = UInt8(exactly: rank), rank < LevelLadder.standard.names.count else { return nil }
        return LevelLadder.standard.text(of: AuthorizationLevel(rank: rank))
    }

    /// Returns the new checksum of a row, or NULL for a row without one.
    ///
    /// The values are its table, its current checksum, the number of columns before the level, and the columns that
    /// current checksums cover.
    private static func checksum(_ values: [DatabaseValue]) -> Int64? {
        let columns = Array(values.dropFirst(3))
        guard values.count > 3, let table = String.fromDatabaseValue(values[0]),
            let stored = Int64.fromDatabaseValue(values[1]), let place = Int.fromDatabaseValue(values[2]),
            columns.indices.contains(place + 2)
        else { return nil }
        var (former, new) = (RowChecksum(table: table), RowChecksum(table: table))
        let last = columns.count - 1
        for (index, column) in columns.enumerated() {
            // Checksums don't cover an effective time that the row doesn't state.
            if index == last, column.isNull { continue }
            column.add(to: &former)
            switch index {
            case place, place + 2:
                if let name = Int64.fromDatabaseValue(column).flatMap(name) { new.add(name) } else { new.add(nil) }
                if index == place + 2 { add(impliedBy: columns[place...], to: &new) }
            default: column.add(to: &new)
            }
        }
        return former.value == stored ? new.value : ~new.value
    }

    /// Adds the level after an end that a write named none for: one lower.
    private static func add(impliedBy columns: ArraySlice<DatabaseValue>, to checksum: inout RowChecksum) {
        let values = Array(columns.prefix(3))
        guard let rank = Int64.fromDatabaseValue(values[0]), !values[1].isNull, values[2].isNull,
            let name = name(max(rank, 1) - 1)
        else { return checksum.add(nil) }
        checksum.add(name)
    }

    /// Returns the constraint of a column with the name of a level or a grant.
    static func isName(_ column: String) -> String {
        """
        length(\(column)) BETWEEN 1 AND \(LevelName.maximumByteCount) AND \(column) GLOB '[A-Za-z]*' \
        AND \(column) NOT GLOB '*[^A-Za-z0-9_-]*'
        """
    }

    /// The columns of a grant: the level after the end is written, implied, or absent.
    private static let grant = """
        valid_until INTEGER,
        level_after TEXT CHECK (\(isName("level_after"))),
        implied_level_after TEXT CHECK (implied_level_after IS NULL OR level_after IS NULL AND \(isName("implied_level_after"))),
        """

    private static let implied = """
        CASE WHEN valid_until IS NOT NULL AND level_after IS NULL THEN waymark_level(max(level, 1) - 1) END
        """

    private static let states = """
        CREATE TABLE named_user_state (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 256),
            level TEXT NOT NULL CHECK (\(isName("level"))),
            \(grant)
            version INTEGER NOT NULL CHECK (version >= 1),
            updated_at INTEGER NOT NULL,
            as_of INTEGER,
            checksum INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO named_user_state
        SELECT id, waymark_level(level), valid_until, waymark_level(level_after), \(implied), version, updated_at, as_of,
            waymark_named_checksum('user_state', checksum, 1, id, level, valid_until, level_after, version, updated_at,
                as_of)
        FROM user_state ORDER BY id;
        DROP TABLE user_state;
        ALTER TABLE named_user_state RENAME TO user_state;

        CREATE TRIGGER user_state_by_hand
        AFTER UPDATE OF id, level, valid_until, level_after, implied_level_after, version, updated_at, as_of
        ON user_state
        WHEN new.checksum IS old.checksum AND new.checksum IS NOT NULL
        BEGIN
            UPDATE user_state SET checksum = NULL WHERE id = new.id;
        END;

        CREATE TABLE level_name (
            rank INTEGER NOT NULL PRIMARY KEY CHECK (rank BETWEEN 0 AND 15),
            name TEXT NOT NULL UNIQUE CHECK (\(isName("name"))),
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    private static let changes = """
        CREATE TABLE named_user_history (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 1),
            level TEXT CHECK (\(isName("level"))), -- NULL: the user was deleted
            \(grant)
            at INTEGER NOT NULL,
            author TEXT NOT NULL,
            as_of INTEGER,
            checksum INTEGER,
            UNIQUE (user_id, version),
            CHECK (level IS NOT NULL OR valid_until IS NULL AND level_after IS NULL AND implied_level_after IS NULL)
        ) STRICT;
        INSERT INTO named_user_history
        SELECT sequence, user_id, version, waymark_level(level), valid_until, waymark_level(level_after), \(implied), at,
            author, as_of,
            waymark_named_checksum('user_history', checksum, 2, user_id, version, level, valid_until, level_after, at,
                author, as_of)
        FROM user_history ORDER BY sequence;
        DELETE FROM sqlite_sequence WHERE name = 'named_user_history';
        INSERT INTO sqlite_sequence (name, seq)
        SELECT 'named_user_history', seq FROM sqlite_sequence WHERE name = 'user_history';
        DROP TABLE user_history;
        ALTER TABLE named_user_history RENAME TO user_history;

        \(deletionByHand)
        """
}
