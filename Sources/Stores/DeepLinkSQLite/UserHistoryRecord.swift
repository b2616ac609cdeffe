import DeepLinkCore
import DeepLinkStorage
import GRDB

/// A row of `user_history`, one change of one user, written from a `UserChange` and read as one.
///
/// The checksum covers the columns that were written. It is NULL in a row added manually.
struct UserHistoryRecord: FetchableRecord {
    private static let table = "user_history"

    static let columns = "user_id, version, \(AccessColumns.names), at, author, as_of, checksum"

    /// The user that was changed.
    let userID: UserID

    let change: UserChange

    /// The column `grants`.
    private let grants: String?

    init(_ change: UserChange, of id: UserID) {
        self.change = change
        userID = id
        grants = change.access.flatMap { GrantsCoding.text(of: $0.grants) }
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    init(row: Row) throws {
        guard let id = UserID(stored: try row.decode(String.self, atIndex: 0)) else { throw Self.damage }
        let (version, columns) = (try row.decode(Int.self, atIndex: 1), try AccessColumns(row, from: 2))
        let level = columns.heldLevel
        guard version >= 1, level != nil || columns.isEmpty, let grants = GrantsCoding.contents(columns.grants) else {
            throw Self.damage
        }
        userID = id
        change = UserChange(
            version: version,
            access: level.map { UserAccess(level: $0, sorted: grants.held) },
            at: Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 7)),
            author: try row.decode(String.self, atIndex: 8),
            asOf: try row.decode(Int64?.self, atIndex: 9).map(Timestamp.init(millisecondsSinceEpoch:))
        )
        self.grants = columns.grants
        let stored = try row.decode(Int64?.self, atIndex: 10)
        guard stored == nil || stored == checksum else { throw Self.damage }
    }

    private static var damage: DamagedRowError { DamagedRowError(table: table) }

    private var checksum: Int64 {
        var checksum = RowChecksum(table: Self.table)
        checksum.add(userID.text)
        checksum.add(Int64(change.version))
        checksum.add(level: change.level)
        checksum.add(change.at.millisecondsSinceEpoch)
        checksum.add(change.author)
        // Checksums of rows of earlier schemas cover neither.
        if let asOf = change.asOf { checksum.add(asOf.millisecondsSinceEpoch) }
        if let grants { checksum.add(grants) }
        return checksum.value
    }

    /// The statement that adds a row.
    ///
    /// It is a constant, since many users are written at a time.
    private static let insertion = "INSERT INTO user_history (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// Adds the row.
    func insert(_ database: Database) throws {
        let statement = try database.cachedStatement(sql: Self.insertion)
        let level = change.level
        try statement.execute(arguments: [
            userID.text, change.version, level?.level.text, level?.validUntil?.millisecondsSinceEpoch,
            level?.levelAfter?.text, level?.impliedLevelAfter?.text, grants, change.at.millisecondsSinceEpoch,
            change.author, change.asOf?.millisecondsSinceEpoch, checksum,
        ])
    }

    /// Reads the changes of a user after a version, oldest first.
    ///
    /// - Throws: ``DamagedRowError`` also if a version is missing in between, or is another user's.
    static func changes(of id: UserID, after version: Int, limit: Int, _ database: Database) throws -> [UserChange] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM user_history WHERE user_id = ? AND version > ? ORDER BY version LIMIT ?"
        )
        let records = try fetchAll(statement, arguments: [id.text, version, limit])
        for (record, next) in zip(records, records.dropFirst()) {
            guard next.change.version - 1 == record.change.version else { throw damage }
        }
        guard records.allSatisfy({ $0.userID == id && $0.change.version > version }) else { throw damage }
        return records.map(\.change)
    }

    /// Reads the last change of a user, or `nil` if the user was never stored.
    static func newest(of id: UserID, _ database: Database) throws -> UserChange? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM user_history WHERE user_id = ? ORDER BY version DESC LIMIT 1"
        )
        guard let record = try fetchOne(statement, arguments: [id.text]) else { return nil }
        guard record.userID == id else { throw damage }
        return record.change
    }

    /// Reads the users of up to `limit` changes after a row, and the row of the last change.
    ///
    /// - Returns: The users and the last row, or `nil` if damage hides a user.
    static func users(
        after sequence: Int64,
        limit: Int,
        _ database: Database
    ) throws -> (users: Set<UserID>, last: Int64?)? {
        var (users, last): (Set<UserID>, Int64?) = ([], nil)
        do {
            try visit(after: sequence, limit: limit, database) { number, record in
                users.insert(record.userID)
                last = number
            }
        } catch is DamagedRowError {
            return nil
        } catch is RowDecodingError {
            return nil
        }
        return (users, last)
    }

    /// Reads up to `limit` rows after a number, each with its number.
    static func visit(
        after sequence: Int64,
        limit: Int,
        _ database: Database,
        _ body: (Int64, UserHistoryRecord) throws -> Void
    ) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns), sequence FROM user_history WHERE sequence > ? ORDER BY sequence LIMIT ?"
        )
        let rows = try Row.fetchCursor(statement, arguments: [sequence, limit])
        while let row = try rows.next() { try body(row.decode(Int64.self, atIndex: 11), UserHistoryRecord(row: row)) }
    }

    /// Returns the row with another level.
    func having(_ level: LevelAssignment) -> UserHistoryRecord {
        var change = change
        change.access?.level = level
        return UserHistoryRecord(change, of: userID)
    }

    /// Writes the level of the row to the row with a number.
    func replace(at sequence: Int64, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE user_history SET level = ?, level_after = ?, implied_level_after = ?, checksum = ?
                WHERE sequence = ?
                """
        )
        .execute(arguments: [
            change.level?.level.text, change.level?.levelAfter?.text, change.level?.impliedLevelAfter?.text, checksum,
            sequence,
        ])
    }

    /// Reads all rows one after the other, and checks each.
    ///
    /// - Throws: ``DamagedRowError`` if a row differs from the one written.
    static func visit(_ database: Database, _ body: (UserHistoryRecord) throws -> Void = { _ in }) throws {
        let records = try fetchCursor(database, sql: "SELECT \(columns) FROM user_history")
        while let record = try records.next() { try body(record) }
    }

    /// Deletes the changes of a user up to a version.
    static func drop(upTo version: Int, of id: UserID, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM user_history WHERE user_id = ? AND version <= ?")
            .execute(arguments: [id.text, version])
    }

    /// Deletes all changes of a user.
    static func erase(_ id: UserID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM user_history WHERE user_id = ?").execute(arguments: [id.text])
    }
}
