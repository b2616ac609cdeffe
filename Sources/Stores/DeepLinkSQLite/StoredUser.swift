import DeepLinkCore
import DeepLinkStorage
import GRDB

/// A user in the file, read within one transaction.
enum StoredUser {
    /// The user has a state.
    case set(UserState)

    /// The user lacks a state. The deletion of the last state, or `nil` for a user unknown to the history.
    case absent(UserChange?)

    /// Reads a user.
    ///
    /// A row with a damaged key isn't found, and its user would silently lose the level. So without a row, the history
    /// must be empty too, or end with a deletion.
    ///
    /// - Throws: ``DamagedRowError`` otherwise.
    init(of id: UserID, _ database: Database) throws {
        if let state = try UserStateRecord.find(id, in: database) {
            self = .set(state)
            return
        }
        let newest = try UserHistoryRecord.newest(of: id, database)
        guard newest?.level == nil else { throw DamagedRowError(table: UserStateRecord.table) }
        self = .absent(newest)
    }

    /// The state, or `nil` if there is none.
    var state: UserState? { if case .set(let state) = self { state } else { nil } }

    /// Reads the user's record for the ledger.
    ///
    /// For a user without state or history, this is the mark of an erasure if one exists.
    func record(of id: UserID, _ database: Database) throws -> UserRecord {
        switch self {
        case .set(let state): UserRecord(.present(state))
        case .absent(let change?):
            UserRecord(.deleted(UserRecord.Mark(version: change.version, asOf: change.asOf ?? change.at)))
        case .absent(nil):
            UserRecord(try ErasedUserRecord.mark(of: id, database).map { .erased($0) } ?? .unknown)
        }
    }
}

/// A number that the database stores about itself: a row of `stored_number`.
enum StoredNumber: String {
    private static let table = CheckedTable(name: "stored_number", columns: "name, value")

    /// The number of service tokens.
    case serviceTokens = "service tokens"

    /// The latest end of a deleted continuation, in milliseconds since 1970.
    case forgottenUntil = "continuations forgotten until"

    /// The number of erased users, whose missing history cannot inform other processes.
    case erasures = "erasures"

    /// The number of changes of stored short links, which no row reports to other processes.
    case shortLinkChanges = "short link changes"

    /// Reads the number.
    ///
    /// - Throws: ``DamagedRowError`` if its row is missing, or differs from the one written.
    func value(_ database: Database) throws -> Int64 {
        guard let row = try Self.table.rows("WHERE name = ?", [rawValue], database).first else {
            throw Self.table.damage
        }
        return try row.number(1)
    }

    /// Writes the number.
    func set(_ value: Int64, in database: Database) throws { try Self.table.replace([rawValue, value], in: database) }
}
