import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// The rows of `short_link_history`: the changes of a link.
///
/// From the first one on, they include its creation.
enum ShortLinkHistoryRecord {
    static let table = "short_link_history"

    static let columns = """
        code, version, shape, parameters, target, label, expires_at, is_withdrawn, at, author, checksum
        """

    static var damage: DamagedRowError { DamagedRowError(table: table) }

    /// Adds a change.
    static func insert(
        _ change: ShortLinkChange,
        of code: ShortLinkCode,
        texts: InternedTexts,
        in database: Database
    ) throws {
        let shape = try texts.insert(change.target.shape.text, kind: .shape, in: database)
        try database.cachedStatement(
            sql: "INSERT INTO short_link_history (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            code.text, change.version, shape, Data(change.target.values), change.target.text, change.label?.text,
            change.expires?.millisecondsSinceEpoch, change.isWithdrawn, change.at.millisecondsSinceEpoch,
            change.author, checksum(change, of: code),
        ])
    }

    /// Deletes the changes of a link.
    static func erase(_ code: ShortLinkCode, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM short_link_history WHERE code = ?")
            .execute(arguments: [code.text])
    }

    static func checksum(_ change: ShortLinkChange, of code: ShortLinkCode) -> Int64 {
        var checksum = RowChecksum(table: table)
        checksum.add(code.text)
        checksum.add(Int64(change.version))
        checksum.add(change.target.shape.text)
        change.target.values.withUnsafeBytes { checksum.add($0) }
        checksum.add(change.target.text)
        if let label = change.label { checksum.add(label.text) } else { checksum.add(nil) }
        checksum.add(change.expires?.millisecondsSinceEpoch)
        checksum.add(change.isWithdrawn ? 1 : 0)
        checksum.add(change.at.millisecondsSinceEpoch)
        checksum.add(change.author)
        return checksum.value
    }
}
