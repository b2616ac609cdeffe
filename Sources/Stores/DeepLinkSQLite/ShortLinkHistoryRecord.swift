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

    private static var damage: DamagedRowError { DamagedRowError(table: table) }

    /// Reads the changes of a link after a version, oldest first.
    ///
    /// - Throws: ``DamagedRowError`` also if a version is missing in between.
    static func changes(
        of code: ShortLinkCode,
        after version: Int,
        limit: Int,
        texts: InternedTexts,
        _ database: Database
    ) throws -> [ShortLinkChange] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM short_link_history WHERE code = ? AND version > ? ORDER BY version LIMIT ?
                """
        )
        let rows = try Row.fetchAll(statement, arguments: [code.text, version, limit])
            .map { try change($0, texts: texts, database) }
        guard rows.allSatisfy({ $0.code == code }),
            zip(rows, rows.dropFirst()).allSatisfy({ $1.change.version == $0.change.version + 1 })
        else { throw damage }
        return rows.map(\.change)
    }

    /// Reads all rows one after the other, and checks each.
    static func visit(
        texts: InternedTexts,
        _ database: Database,
        _ body: (ShortLinkCode, ShortLinkChange) throws -> Void = { _, _ in }
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT \(columns) FROM \(table)")
        while let row = try rows.next() {
            let (code, change) = try change(row, texts: texts, database)
            try body(code, change)
        }
    }

    /// Reads a row with these columns.
    static func change(
        _ row: Row,
        texts: InternedTexts,
        _ database: Database
    ) throws -> (code: ShortLinkCode, change: ShortLinkChange) {
        let label = try row.decode(String?.self, atIndex: 5).map { ShortLinkLabel($0) }
        let shape = try texts.text(row.decode(Int64.self, atIndex: 2), kind: .shape, database)
        guard let code = ShortLinkCode(try row.decode(String.self, atIndex: 0)), label != .some(nil) else {
            throw damage
        }
        let change = ShortLinkChange(
            version: try row.decode(Int.self, atIndex: 1),
            target: ShortLinkTarget(
                shape: ShortLinkShape(text: shape),
                values: Array(try row.decode(Data.self, atIndex: 3)),
                text: try row.decode(String.self, atIndex: 4)
            ),
            label: label ?? nil,
            expires: try row.decode(Int64?.self, atIndex: 6).map(Timestamp.init(millisecondsSinceEpoch:)),
            isWithdrawn: try row.decode(Bool.self, atIndex: 7),
            at: Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 8)),
            author: try row.decode(String.self, atIndex: 9)
        )
        guard try row.decode(Int64.self, atIndex: 10) == checksum(change, of: code) else { throw damage }
        return (code, change)
    }

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

    private static func checksum(_ change: ShortLinkChange, of code: ShortLinkCode) -> Int64 {
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
