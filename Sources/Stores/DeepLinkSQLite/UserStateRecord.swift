import DeepLinkCore
import DeepLinkStorage
import GRDB

/// A row of `user_state`, written from a `UserState` and read as one.
///
/// The checksum covers all other columns. It is NULL in a row written manually (``Schema``). Such a row only has to
/// satisfy the schema.
struct UserStateRecord: FetchableRecord {
    static let table = "user_state"

    private static let columns = "id, \(AccessColumns.names), version, updated_at, as_of, checksum"

    private let state: UserState

    /// The column `grants`.
    private let grants: String?

    init(_ state: UserState) {
        self.state = state
        grants = GrantsCoding.text(of: state.access, state.timestamps)
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    init(row: Row) throws {
        guard let id = UserID(stored: try row.decode(String.self, atIndex: 0)) else { throw Self.damage }
        let columns = try AccessColumns(row, from: 1)
        state = try Self.state(
            id,
            columns: columns,
            version: row.decode(Int64.self, atIndex: 6),
            updatedAt: row.decode(Int64.self, atIndex: 7),
            asOf: row.decode(Int64?.self, atIndex: 8),
            checksum: row.decode(Int64?.self, atIndex: 9)
        )
        grants = columns.grants
    }

    private static var damage: DamagedRowError { DamagedRowError(table: table) }

    /// Builds a state, and compares it with its checksum.
    private static func state(
        _ id: UserID,
        columns: AccessColumns,
        version: Int64,
        updatedAt: Int64,
        asOf: Int64?,
        checksum: Int64?
    ) throws(DamagedRowError) -> UserState {
        guard let version = Int(exactly: version), version >= 1,
            let level = columns.heldLevel, let grants = GrantsCoding.contents(columns.grants)
        else { throw damage }
        let access = grants.access(level)
        let ofLevel = asOf ?? (access.level == nil ? nil : updatedAt)
        let state = UserState(
            id: id,
            access: access,
            version: version,
            updatedAt: Timestamp(millisecondsSinceEpoch: updatedAt),
            timestamps: grants.timestamps(level: ofLevel.map(Timestamp.init(millisecondsSinceEpoch:)))
        )
        guard checksum == nil || checksum == Self.checksum(state, grants: columns.grants) else { throw damage }
        return state
    }

    private static func checksum(_ state: UserState, grants: String?) -> Int64 {
        var checksum = RowChecksum(table: table)
        checksum.add(state.id.text)
        checksum.add(level: state.level)
        checksum.add(Int64(state.version))
        checksum.add(state.updatedAt.millisecondsSinceEpoch)
        // Checksums of rows of earlier schemas cover neither.
        if let asOf = asOfColumn(state) { checksum.add(asOf) }
        if let grants { checksum.add(grants) }
        return checksum.value
    }

    /// Returns the value of the column `as_of`: NULL if the effective time of the level is the last change, or the
    /// level was never written.
    private static func asOfColumn(_ state: UserState) -> Int64? {
        state.access.level != nil && state.asOf == state.updatedAt ? nil : state.asOf?.millisecondsSinceEpoch
    }

    /// The statement that writes a row.
    ///
    /// It is a constant, since many users are written at a time.
    private static let replacement = """
        INSERT INTO user_state (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET
            level = excluded.level, valid_until = excluded.valid_until, level_after = excluded.level_after,
            implied_level_after = excluded.implied_level_after, grants = excluded.grants,
            version = excluded.version, updated_at = excluded.updated_at, as_of = excluded.as_of,
            checksum = excluded.checksum
        """

    /// Writes the row, replacing the user's former one.
    func replace(_ database: Database) throws {
        let statement = try database.cachedStatement(sql: Self.replacement)
        let level = state.level
        try statement.execute(arguments: [
            state.id.text, level.level.text, level.validUntil?.millisecondsSinceEpoch, level.levelAfter?.text,
            level.impliedLevelAfter?.text, grants, state.version, state.updatedAt.millisecondsSinceEpoch,
            Self.asOfColumn(state), Self.checksum(state, grants: grants),
        ])
    }

    /// Deletes the row of a user.
    static func delete(_ id: UserID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?").execute(arguments: [id.text])
    }

    /// Reads all states in the byte order of ids, and checks each.
    static func visit(_ database: Database, _ body: (UserState) throws -> Void) throws {
        var last: UserID?
        repeat {
            let page = try states(after: last, limit: 1000, database)
            for state in page { try body(state) }
            last = page.last?.id
        } while last != nil
    }

    /// Reads up to `limit` states in the byte order of ids, after an id.
    ///
    /// - Throws: ``DamagedRowError`` also if the ids don't increase, since a damaged tree may contain a page twice.
    static func states(after id: UserID?, limit: Int, _ database: Database) throws -> [UserState] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM user_state WHERE id > ? ORDER BY id LIMIT ?"
        )
        let states = try fetchAll(statement, arguments: [id?.text ?? "", limit]).map(\.state)
        var last = id?.text.utf8
        for state in states {
            guard last.map({ $0.lexicographicallyPrecedes(state.id.text.utf8) }) ?? true else { throw damage }
            last = state.id.text.utf8
        }
        return states
    }

    /// Reads a user's state, or returns `nil` if no row is found, which ``StoredUser`` investigates.
    ///
    /// The statement is prepared by GRDB and run with SQLite's own functions (sqlite.org/cintro.html). Building a row
    /// with the names of its columns takes longer than finding the user.
    static func find(_ id: UserID, in database: Database) throws -> UserState? {
        try SQLiteRow.first(of: table, sql: byID, binding: id.text, database) { row in
            guard let version = try row.integer(5), let updatedAt = try row.integer(6) else { throw damage }
            return try state(
                id,
                columns: AccessColumns(
                    level: row.text(0),
                    validUntil: row.integer(1),
                    levelAfter: row.text(2),
                    impliedLevelAfter: row.text(3),
                    grants: row.text(4)
                ),
                version: version,
                updatedAt: updatedAt,
                asOf: row.integer(7),
                checksum: row.integer(8)
            )
        }
    }

    private static let byID = """
        SELECT \(AccessColumns.names), version, updated_at, as_of, checksum FROM user_state WHERE id = ?
        """
}

/// The columns of a user's level and grants in a row.
struct AccessColumns {
    /// The names of the columns, in the order of the properties.
    static let names = "level, valid_until, level_after, implied_level_after, grants"

    /// The name of the level, or NULL in the history of a deletion.
    let level: String?

    /// The end, in milliseconds since 1970.
    let validUntil: Int64?

    /// The name of the level after the end, as it was written.
    let levelAfter: String?

    /// The name of the level after the end, if the write named none.
    let impliedLevelAfter: String?

    /// The grants, as `GrantsCoding`.
    let grants: String?

    /// Whether all columns are NULL, as in the history of a deletion.
    var isEmpty: Bool {
        level == nil && validUntil == nil && levelAfter == nil && impliedLevelAfter == nil && grants == nil
    }

    /// The level, or `nil` if the values violate the schema's constraints.
    var heldLevel: LevelAssignment? {
        let (after, implied) = (levelAfter.map(LevelName.init), impliedLevelAfter.map(LevelName.init))
        guard let level = level.flatMap(LevelName.init), after != .some(nil), implied != .some(nil),
            after == nil || implied == nil
        else { return nil }
        return LevelAssignment(
            of: level,
            validUntil: validUntil.map(Timestamp.init(millisecondsSinceEpoch:)),
            levelAfter: after ?? nil,
            impliedLevelAfter: implied ?? nil
        )
    }
}

extension AccessColumns {
    /// Reads the columns of a row, starting at an index.
    init(_ row: Row, from index: Int) throws {
        level = try row.decode(String?.self, atIndex: index)
        validUntil = try row.decode(Int64?.self, atIndex: index + 1)
        levelAfter = try row.decode(String?.self, atIndex: index + 2)
        impliedLevelAfter = try row.decode(String?.self, atIndex: index + 3)
        grants = try row.decode(String?.self, atIndex: index + 4)
    }
}

extension RowChecksum {
    /// Adds the columns of a level.
    ///
    /// The column of the grants comes last.
    mutating func add(level: LevelAssignment?) {
        add(optional: level?.level.text)
        add(level?.validUntil?.millisecondsSinceEpoch)
        add(optional: level?.levelAfter?.text)
        add(optional: level?.impliedLevelAfter?.text)
    }

    /// Adds a text, or NULL.
    private mutating func add(optional text: String?) {
        if let text { add(text) } else { add(nil) }
    }
}
