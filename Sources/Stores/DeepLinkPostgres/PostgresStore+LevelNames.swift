package import DeepLinkCore
package import DeepLinkStorage
import Synchronization

extension PostgresStore {
    package func levelRenames() async throws -> [LevelRename] {
        // Renamings are only ever added, and each search for changes counts them. An idle replica therefore needs no
        // further query.
        if let known = knownRenames.withLock(\.self), feed.renameCount == Int64(known.count) { return known }
        let select = "SELECT old, new FROM level_rename ORDER BY old, new"
        let renames = try await pages.rows(select) { row throws(PostgresError) in
            guard let old = LevelName(try row.text(0)), let new = LevelName(try row.text(1)) else {
                throw .unexpected("an invalid level")
            }
            return LevelRename(old, to: new)
        }
        knownRenames.withLock { $0 = renames }
        return renames
    }

    package func keepLevelRename(_ rename: LevelRename) async throws {
        try await pages.run(Statement(storing: rename))
    }

    package func keptNames<Name: Sendable>(
        of table: NameTable,
        _ name: @escaping @Sendable (String) -> Name?
    ) async throws -> [Name] {
        let select = "SELECT name FROM \(table.table) ORDER BY \(table.place)"
        return try await pages.rows(select) { row throws(PostgresError) in
            guard let name = name(try row.text(0)) else { throw .unexpected("an invalid \(table.noun)") }
            return name
        }
    }

    package func keep(_ names: [String], of table: NameTable) async throws {
        try await pages.run(Statement(storing: names, in: table))
    }

    package func forgetLevels() { levels?.note(.everything) }

    package func renameLevel(
        _ old: LevelName,
        to new: LevelName,
        pausing pause: Duration
    ) async throws -> LevelRenaming {
        var renaming = LevelRenaming()
        renaming.userCount = try await LevelRenaming.count(pausing: pause) { start in
            try await pages.run { connection throws(PostgresError) in
                try LevelNameRows.renameStates(old, to: new, after: start ?? "", connection)
            }
        }
        renaming.changeCount = try await LevelRenaming.count(pausing: pause) { start in
            try await pages.run { connection throws(PostgresError) in
                try LevelNameRows.renameChanges(old, to: new, after: start ?? ("", 0), connection)
            }
        }
        try await renameKeptLevel(old, to: new)
        return renaming
    }
}

extension Statement {
    /// Creates the statement that stores names in a table, replacing former ones.
    init(storing names: [String], in table: NameTable) {
        self.init(
            """
            WITH removed AS (DELETE FROM \(table.table) WHERE \(table.place) >= cardinality($1::text[]))
            INSERT INTO \(table.table) (\(table.place), name)
            SELECT number - 1, name FROM unnest($1::text[]) WITH ORDINALITY AS new (name, number)
            ON CONFLICT (\(table.place)) DO UPDATE SET name = excluded.name
            """,
            .texts(names)
        )
    }

    /// Creates the statement that stores a renaming of a level, unless it is already stored.
    init(storing rename: LevelRename) {
        self.init(
            "INSERT INTO level_rename (old, new) VALUES ($1::text, $2::text) ON CONFLICT DO NOTHING",
            .text(rename.old.text),
            .text(rename.new.text)
        )
    }
}

/// The statements that rename a level in batches of rows.
enum LevelNameRows {
    /// The columns with names of levels, each with the new name in place of the old one.
    private static let names = """
        level_name = CASE WHEN old.level = $1::text THEN $2::text ELSE old.level END,
        level_after_name = CASE WHEN old.level_after = $1::text THEN $2::text ELSE old.level_after END,
        implied_level_after = CASE WHEN old.implied = $1::text THEN $2::text ELSE old.implied END
        """

    /// The rank for replicas of earlier versions.
    private static let rank = "CASE WHEN old.level = $1::text THEN $3::smallint ELSE row.level END"

    /// The rank after the end for replicas of earlier versions, which is no higher than the rank.
    private static let rankAfter = """
        CASE WHEN row.level_after IS NULL THEN NULL
            ELSE least(CASE WHEN old.level_after = $1::text THEN $3::smallint ELSE row.level_after END, \(rank)) END
        """

    /// Renames a level in the users after an id.
    ///
    /// - Returns: The number of renamed users, and the last id of the batch if more follow.
    static func renameStates(
        _ old: LevelName,
        to new: LevelName,
        after id: String,
        _ connection: PostgresConnection
    ) throws(PostgresError) -> (count: Int, end: String?) {
        let page = try connection.run(
            "SELECT id FROM user_state WHERE id > $1::text ORDER BY id LIMIT $2::bigint",
            .text(id),
            .number(Int64(LevelRenaming.sliceSize))
        )
        guard page.count > 0 else { return (0, nil) }
        let ids = try page.map { row throws(PostgresError) in try row.text(0) }
        let renamed = try connection.run(
            """
            UPDATE user_state AS row SET \(names), level = \(rank), level_after = \(rankAfter),
                named_version = row.version, named_level = \(rank)
            FROM (SELECT id, \(AccessColumns.ofState) FROM user_state WHERE id = ANY($4::text[]) FOR UPDATE)
                AS old (id, level, valid_until, level_after, implied, grants)
            WHERE row.id = old.id AND $1::text IN (old.level, old.level_after, old.implied)
            RETURNING row.id
            """,
            .text(old.text),
            .text(new.text),
            .number(AccessColumns.rank(new)),
            .texts(ids)
        )
        return (renamed.count, page.count == LevelRenaming.sliceSize ? ids.last : nil)
    }

    /// Renames a level in the changes after one.
    ///
    /// - Returns: The number of renamed changes, and the last change of the batch if more follow.
    static func renameChanges(
        _ old: LevelName,
        to new: LevelName,
        after place: (id: String, version: Int64),
        _ connection: PostgresConnection
    ) throws(PostgresError) -> (count: Int, end: (id: String, version: Int64)?) {
        let page = try connection.run(
            """
            SELECT user_id, version FROM user_history WHERE (user_id, version) > ($1::text, $2::bigint)
            ORDER BY user_id, version LIMIT $3::bigint
            """,
            .text(place.id),
            .number(place.version),
            .number(Int64(LevelRenaming.sliceSize))
        )
        guard page.count > 0 else { return (0, nil) }
        let keys = try page.map { row throws(PostgresError) in (try row.text(0), try row.number(1)) }
        let renamed = try connection.run(
            """
            UPDATE user_history AS row SET \(names), level = \(rank), level_after = \(rankAfter)
            FROM (SELECT change.user_id, change.version, \(AccessColumns.ofChange)
                    FROM unnest($4::text[], $5::bigint[]) AS asked (id, version)
                    JOIN user_history AS change ON change.user_id = asked.id AND change.version = asked.version)
                AS old (user_id, version, level, valid_until, level_after, implied, grants)
            WHERE row.user_id = old.user_id AND row.version = old.version
                AND $1::text IN (old.level, old.level_after, old.implied)
            RETURNING row.version
            """,
            .text(old.text),
            .text(new.text),
            .number(AccessColumns.rank(new)),
            .texts(keys.map(\.0)),
            .numbers(keys.map(\.1))
        )
        return (renamed.count, page.count == LevelRenaming.sliceSize ? keys.last.map { ($0.0, $0.1) } : nil)
    }
}
