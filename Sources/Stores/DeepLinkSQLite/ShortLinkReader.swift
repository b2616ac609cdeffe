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
        try SQLiteRow.first(of: ShortLinkRow.table, sql: ShortLinkRow.byCode, binding: code.text, database) {
            row in
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
        while let row = try SQLiteRow.next(pointer, of: ShortLinkRow.table, database) {
            rows.append(try ShortLinkRow(row, self))
        }
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

/// A row of `short_link`, written from a `ShortLink` and read as one.
///
/// The checksum covers all other columns except the number. It is NULL in a row that was changed manually. Such a row
/// only has to satisfy the schema.
struct ShortLinkRow {
    static let table = "short_link"

    static let columns = """
        code, kind, is_withdrawn, shape, parameters, target, host, label, author, name, terms, about, expires_at,
        signed_until, version, created_at, updated_at, checksum
        """

    /// The position in the order of lists.
    let number: Int64

    let link: ShortLink

    static var damage: DamagedRowError { DamagedRowError(table: table) }

    static let byCode = "SELECT number, \(columns) FROM short_link WHERE code = ?"

    /// Reads a row of ``columns``, after the number.
    init(_ row: SQLiteRow, _ reader: ShortLinkReader) throws {
        let (texts, database) = (reader.texts, reader.database)
        guard let number = try row.integer(0), let code = try row.text(1).flatMap({ ShortLinkCode($0) }),
            let kind = try row.integer(2).flatMap({ ShortLinkKind(rawValue: Int($0)) }),
            let isWithdrawn = try row.integer(3), let shape = try row.integer(4), let values = try row.bytes(5),
            let target = try row.text(6), let version = try row.integer(15), version >= 1,
            let created = try row.integer(16)
        else { throw Self.damage }
        let checksum = try row.integer(18)
        if let checksum { guard checksum == row.checksum(1..<18) else { throw Self.damage } }
        let (label, about) = (try row.integer(8), try row.text(12))
        let author =
            about == nil ? try row.integer(9).map { try texts.text($0, kind: .author, database) } : try row.text(9)
        let naming: ShortLinkNaming? =
            switch (try row.text(10).map({ ShortLinkName($0) }), try row.bytes(11)) {
            case (nil, nil): nil
            case (let name??, let terms?): ShortLinkNaming(name: name, terms: terms)
            default: throw Self.damage
            }
        let user = about.map { UserID(stored: $0) }
        let word = try label.map { ShortLinkLabel(try texts.text($0, kind: .label, database)) }
        guard let author, user != .some(nil), word != .some(nil) else { throw Self.damage }
        self.number = number
        let createdAt = Timestamp(millisecondsSinceEpoch: created)
        link = ShortLink(
            code: code,
            kind: kind,
            naming: naming,
            contents: ShortLinkContents(
                host: try row.integer(7).map { try texts.text($0, kind: .host, database) },
                target: ShortLinkTarget(
                    shape: ShortLinkShape(text: try texts.text(shape, kind: .shape, database)),
                    values: values,
                    text: target
                ),
                label: word ?? nil,
                expires: try row.integer(13).map(Timestamp.init(millisecondsSinceEpoch:)),
                about: user ?? nil,
                signature: try row.integer(14).map(ShortLinkSignature.init(stored:)),
                isWithdrawn: isWithdrawn != 0
            ),
            version: Int(version),
            createdAt: createdAt,
            author: author,
            updatedAt: try row.integer(17).map(Timestamp.init(millisecondsSinceEpoch:)) ?? createdAt
        )
    }

    // MARK: Writing

    /// Adds a link, or replaces the link of the same code.
    static func write(_ link: ShortLink, isNew: Bool, texts: InternedTexts, in database: Database) throws {
        let values = try values(of: link, texts: texts, in: database)
        var checksum = RowChecksum(table: table)
        for value in values { value.add(to: &checksum) }
        let statement = try database.cachedStatement(sql: isNew ? insertion : replacement)
        try statement.execute(arguments: StatementArguments(values + [checksum.value.databaseValue]))
    }

    private static let insertion = """
        INSERT INTO short_link (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static let replacement = """
        UPDATE short_link SET (\(columns)) = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
            ?17, ?18)
        WHERE code = ?1
        """

    /// The values of the columns, without the checksum.
    private static func values(
        of link: ShortLink,
        texts: InternedTexts,
        in database: Database
    ) throws -> [DatabaseValue] {
        let contents = link.contents
        // If the link is about a user, the author is erased with the row.
        let author: any DatabaseValueConvertible =
            contents.about == nil ? try texts.insert(link.author, kind: .author, in: database) : link.author
        let isUpdated = link.updatedAt != link.createdAt
        let shape = try texts.insert(contents.target.shape.text, kind: .shape, in: database)
        let host = try contents.host.map { try texts.insert($0, kind: .host, in: database) }
        let label = try contents.label.map { try texts.insert($0.text, kind: .label, in: database) }
        let values: [(any DatabaseValueConvertible)?] = [
            link.code.text, link.kind.rawValue, contents.isWithdrawn, shape, Data(contents.target.values),
            contents.target.text, host, label, author, link.naming?.name.text, link.naming.map { Data($0.terms) },
            contents.about?.text, contents.expires?.millisecondsSinceEpoch, contents.signature?.stored, link.version,
            link.createdAt.millisecondsSinceEpoch, isUpdated ? link.updatedAt.millisecondsSinceEpoch : nil,
        ]
        return values.map { $0?.databaseValue ?? .null }
    }

    /// Deletes the link with exactly this code.
    static func delete(_ code: ShortLinkCode, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM short_link WHERE code = ?").execute(arguments: [code.text])
    }
}
