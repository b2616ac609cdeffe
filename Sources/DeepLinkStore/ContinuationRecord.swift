import DeepLinkCore
import Foundation
import GRDB

/// A row of `continuation`: who redeemed one, and whether it was granted.
struct ContinuationRecord: FetchableRecord {
    private static let table = "continuation"

    static let columns = "id, user_id, expires_at, is_spent, checksum"

    let id: ContinuationID
    let user: UserID
    let end: Timestamp
    let isSpent: Bool

    init(id: ContinuationID, user: UserID, end: Timestamp, isSpent: Bool = false) {
        self.id = id
        self.user = user
        self.end = end
        self.isSpent = isSpent
    }

    /// - Throws: ``DamagedRowError`` for a row that is not what was written.
    init(row: Row) throws {
        guard let id = ContinuationID(try row.decode(String.self, atIndex: 0)),
            let user = UserID(stored: try row.decode(String.self, atIndex: 1))
        else { throw Self.damage }
        self.id = id
        self.user = user
        end = Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 2))
        isSpent = try row.decode(Int64.self, atIndex: 3) != 0
        guard try row.decode(Int64.self, atIndex: 4) == checksum else { throw Self.damage }
    }

    private static var damage: DamagedRowError { DamagedRowError(table: table) }

    private var checksum: Int64 {
        var checksum = RowChecksum(table: Self.table)
        checksum.add(id.text)
        checksum.add(user.text)
        checksum.add(end.millisecondsSinceEpoch)
        checksum.add(isSpent ? 1 : 0)
        return checksum.value
    }

    /// Writes the row, in place of one of the same id.
    func replace(_ database: Database) throws {
        try database.cachedStatement(sql: "REPLACE INTO continuation (\(Self.columns)) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [id.text, user.text, end.millisecondsSinceEpoch, isSpent ? 1 : 0, checksum])
    }

    /// Reads the row of an id; `nil` where there is none.
    static func find(_ id: ContinuationID, _ database: Database) throws -> ContinuationRecord? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM continuation WHERE id = ?")
        return try fetchOne(statement, arguments: [id.text])
    }

    /// Replaces a user by a digest wherever one is named: nobody of that name redeems.
    static func unbind(_ user: UserID, named digest: Data, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM continuation WHERE user_id = ?")
        let nobody = digest.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
        guard let nobody = UserID(nobody) else { throw damage }
        for record in try fetchAll(statement, arguments: [user.text]) {
            try ContinuationRecord(id: record.id, user: nobody, end: record.end, isSpent: record.isSpent)
                .replace(database)
        }
    }

    /// Makes sure that a row which is not found was never there: a damaged key would hide it, but the index knows it.
    ///
    /// - Throws: ``DamagedRowError`` where the index does.
    static func requireAbsence(of id: ContinuationID, until end: Timestamp, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT 1 FROM continuation INDEXED BY continuation_by_expiry WHERE expires_at = ? AND id = ?
                """
        )
        guard try Row.fetchOne(statement, arguments: [end.millisecondsSinceEpoch, id.text]) == nil else { throw damage }
    }

    /// Forgets continuations that have ended before a moment, the earliest first, and remembers up to which end.
    static func sweep(before time: Timestamp, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM continuation WHERE expires_at < ? ORDER BY expires_at LIMIT \(maximumSweepCount)
                """
        )
        let ended = try fetchAll(statement, arguments: [time.millisecondsSinceEpoch])
        guard let last = ended.map(\.end).max() else { return }
        // A damaged index may list a row that has not ended.
        guard last < time else { throw damage }
        let deletion = try database.cachedStatement(sql: "DELETE FROM continuation WHERE id = ?")
        for record in ended { try deletion.execute(arguments: [record.id.text]) }
        let known = try StoredNumber.forgottenUntil.value(database)
        try StoredNumber.forgottenUntil.set(max(known, last.millisecondsSinceEpoch), database)
    }

    /// The most rows that one call forgets; each adds at most one.
    private static let maximumSweepCount = 64
}
