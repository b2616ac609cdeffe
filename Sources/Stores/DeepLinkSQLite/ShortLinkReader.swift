import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import GRDBSQLite

/// The reading of short links, with the texts that they share.
struct ShortLinkReader {
    let texts: InternedTexts
    let database: Database

    /// Reads the link with exactly this code, or `nil` if there is none.
    func find(_ code: ShortLinkCode) throws -> ShortLink? {
        try SQLiteRow.first(of: ShortLinkRow.byCode, binding: code.text, database) { row in
            let link = try ShortLinkRow(row, self).link
            // A damaged index may find another row.
            guard link.code == code else { throw ShortLinkRow.damage }
            return link
        }
    }

    /// Reads the rows that a condition selects.
    func rows(_ condition: String, _ arguments: StatementArguments) throws -> [ShortLinkRow] {
        let statement = try database.cachedStatement(
            sql: "SELECT number, \(ShortLinkRow.columns) FROM short_link \(condition)"
        )
        try statement.setArguments(arguments)
        let pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
        defer { sqlite3_reset(pointer) }
        var rows: [ShortLinkRow] = []
        while let row = try SQLiteRow.next(pointer, database) { rows.append(try ShortLinkRow(row, self)) }
        return rows
    }

    /// Reads the links with codes that differ from a code only in case, without the link of that code.
    func others(inCaseOf code: ShortLinkCode) throws -> [ShortLink] {
        let folded = code.folded
        var links = try rows("WHERE lower(code) = ? AND code <> lower(code) LIMIT 1000", [folded.text]).map(\.link)
        if folded != code, let link = try find(folded) { links.append(link) }
        guard links.allSatisfy({ $0.code.folded == folded }) else { throw ShortLinkRow.damage }
        return links.filter { $0.code != code }
    }

    /// Returns the link of a code as written, otherwise without case, otherwise as the server spells codes.
    func lookUp(_ code: ShortLinkCode) throws -> ShortLink? {
        if let link = try find(code) { return link }
        let others = try others(inCaseOf: code)
        if let link = others.first(where: { $0.kind.finds($0.code, as: code) }) { return link }
        let spelled = code.spelledByServer
        guard spelled != code, let link = try find(spelled), link.kind == .drawn else { return nil }
        return link
    }

    /// Reads all links in the order of their numbers, and checks each.
    func visit(_ body: (ShortLinkRow) throws -> Void) throws {
        var last: Int64? = 0
        while let start = last {
            let page = try rows(of: .all, after: start, count: 1000)
            for row in page { try body(row) }
            last = page.last?.number
        }
    }

    /// Reads all rows of short links and their changes.
    ///
    /// - Throws: ``DamagedRowError`` if a row differs from the one written.
    func checkAll() throws {
        var count = 0
        try visit { _ in count += 1 }
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM short_link") == count else {
            throw ShortLinkRow.damage
        }
        try visitChanges { _, _ in }
        _ = try ErasedShortLinkRecord.all(database)
    }

    // MARK: Changes

    /// Reads the changes of a link after a version, oldest first.
    ///
    /// - Throws: ``DamagedRowError`` also if a version is missing in between.
    func changes(of code: ShortLinkCode, after version: Int, limit: Int) throws -> [ShortLinkChange] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(ShortLinkHistoryRecord.columns) FROM short_link_history \
                WHERE code = ? AND version > ? ORDER BY version LIMIT ?
                """
        )
        let rows = try Row.fetchAll(statement, arguments: [code.text, version, limit]).map(change)
        guard rows.allSatisfy({ $0.code == code }),
            zip(rows, rows.dropFirst()).allSatisfy({ $1.change.version == $0.change.version + 1 })
        else { throw ShortLinkHistoryRecord.damage }
        return rows.map(\.change)
    }

    /// Reads all changes one after the other, and checks each.
    func visitChanges(_ body: (ShortLinkCode, ShortLinkChange) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT \(ShortLinkHistoryRecord.columns) FROM \(ShortLinkHistoryRecord.table)"
        )
        while let row = try rows.next() {
            let (code, change) = try change(row)
            try body(code, change)
        }
    }

    /// Reads a row of ``ShortLinkHistoryRecord/columns``.
    private func change(_ row: Row) throws -> (code: ShortLinkCode, change: ShortLinkChange) {
        let label = try row.decode(String?.self, atIndex: 5).map { ShortLinkLabel($0) }
        let shape = try texts.text(row.decode(Int64.self, atIndex: 2), kind: .shape, database)
        guard let code = ShortLinkCode(try row.decode(String.self, atIndex: 0)), label != .some(nil) else {
            throw ShortLinkHistoryRecord.damage
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
        guard try row.decode(Int64.self, atIndex: 10) == ShortLinkHistoryRecord.checksum(change, of: code) else {
            throw ShortLinkHistoryRecord.damage
        }
        return (code, change)
    }
}
