import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// The rows of `continuation`: redeeming users, and whether they were granted.
enum ContinuationRecord {
    static let table = CheckedTable(name: "continuation", columns: "id, user_id, expires_at, is_spent")

    /// Writes a row, replacing the row of the same id.
    static func replace(
        _ id: ContinuationID,
        _ redemption: RedemptionLedger.Redemption,
        of user: UserID,
        in database: Database
    ) throws {
        let end = redemption.end.millisecondsSinceEpoch
        try table.replace([id.text, user.text, end, redemption.isSpent ? 1 : 0], in: database)
    }

    /// Reads the redemption of an id, or `nil` if there is none.
    static func find(_ id: ContinuationID, in database: Database) throws -> RedemptionLedger.Redemption? {
        try table.rows("WHERE id = ?", [id.text], database).first?.redemption()
    }

    /// Replaces a user by a digest in all rows.
    ///
    /// The digest is not the id of any user, so none can redeem.
    static func unbind(_ user: UserID, named digest: Data, in database: Database) throws {
        let nobody = digest.hexadecimal
        guard let nobody = UserID(nobody) else { throw table.damage }
        for row in try table.rows("WHERE user_id = ?", [user.text], database) {
            try replace(row.continuation(), row.redemption(), of: nobody, in: database)
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
        guard try Row.fetchOne(statement, arguments: [end.millisecondsSinceEpoch, id.text]) == nil else {
            throw table.damage
        }
    }

    /// Reads continuations that ended before a time, the earliest first.
    ///
    /// A change adds at most one, and deletes more.
    static func ended(
        before time: Timestamp,
        _ database: Database
    ) throws -> [(id: ContinuationID, end: Timestamp)] {
        let condition = "WHERE expires_at < ? ORDER BY expires_at LIMIT \(CheckedTable.maximumSweepCount)"
        return try table.rows(condition, [time.millisecondsSinceEpoch], database)
            .map { row in
                let end = try row.time(2)
                // A damaged index may list a row that has not ended.
                guard end < time else { throw table.damage }
                return (try row.continuation(), end)
            }
    }
}
