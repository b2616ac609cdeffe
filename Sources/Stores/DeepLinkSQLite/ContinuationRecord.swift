import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// A row of `continuation`: the redeeming user, and whether it was granted.
struct ContinuationRecord: FetchableRecord {
    private static let table = "continuation"

    static let columns = "id, user_id, expires_at, is_spent, checksum"

    let id: ContinuationID
    let user: UserID
    let end: Timestamp
    let isSpent: Bool

    /// The redemption of the row.
    var redemption: RedemptionLedger.Redemption {
        RedemptionLedger.Redemption(user: user, end: end, isSpent: isSpent, isStored: true)
    }

    init(id: ContinuationID, user: UserID, end: Timestamp, isSpent: Bool = false) {
        self.id = id
        self.user = user
        self.end = end
        self.isSpent = isSpent
    }

    init(id: ContinuationID, _ redemption: RedemptionLedger.Redemption) {
        self.init(id: id, user: redemption.user, end: redemption.end, isSpent: redemption.isSpent)
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
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

    /// Writes the row, replacing the row of the same id.
    func replace(_ database: Database) throws {
        try database.cachedStatement(sql: "REPLACE INTO continuation (\(Self.columns)) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [id.text, user.text, end.millisecondsSinceEpoch, isSpent ? 1 : 0, checksum])
    }

    /// Reads the row of an id, or `nil` if there is none.
    static func find(_ id: ContinuationID, in database: Database) throws -> ContinuationRecord? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM continuation WHERE id = ?")
        return try fetchOne(statement, arguments: [id.text])
    }

    /// Replaces a user by a digest in all rows.
    ///
    /// The digest is not the id of any user, so none can redeem.
    static func unbind(_ user: UserID, named digest: Data, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM continuation WHERE user_id = ?")
        let nobody = digest.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
        guard let nobody = UserID(nobody) else { throw damage }
        for record in try fetchAll(statement, arguments: [user.text]) {
            try ContinuationRecord(id: record.id, user: nobody, end: record.end, isSpent: record.isSpent)
                .replace(database)
        }
    }

    /// Checks that a missing row never existed.
    ///
    /// A damaged key would hide the row, but the index would still list it.
    ///
    /// - Throws: ``DamagedRowError`` if the index has the row.
    static func requireAbsence(of id: ContinuationID, until end: Timestamp, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT 1 FROM continuation INDEXED BY continuation_by_expiry WHERE expires_at = ? AND id = ?
                """
        )
        guard try Row.fetchOne(statement, arguments: [end.millisecondsSinceEpoch, id.text]) == nil else { throw damage }
    }

    /// Reads continuations that ended before a time, the earliest first.
    static func ended(before time: Timestamp, _ database: Database) throws -> [ContinuationRecord] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM continuation WHERE expires_at < ? ORDER BY expires_at LIMIT \(maximumSweepCount)
                """
        )
        let ended = try fetchAll(statement, arguments: [time.millisecondsSinceEpoch])
        // A damaged index may list a row that has not ended.
        guard ended.allSatisfy({ $0.end < time }) else { throw damage }
        return ended
    }

    /// Deletes continuations.
    static func forget(_ ids: [ContinuationID], in database: Database) throws {
        let deletion = try database.cachedStatement(sql: "DELETE FROM continuation WHERE id = ?")
        for id in ids { try deletion.execute(arguments: [id.text]) }
    }

    /// The maximum number of rows that one change deletes.
    ///
    /// A change adds at most one.
    private static let maximumSweepCount = 64
}
