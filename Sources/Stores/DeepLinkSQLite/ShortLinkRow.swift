import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import GRDBSQLite

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
        guard let number = row.integer(0), let code = row.text(1).flatMap({ ShortLinkCode($0) }),
            let kind = row.integer(2).flatMap({ ShortLinkKind(rawValue: Int($0)) }), let shape = row.integer(4),
            let target = row.text(6), let version = row.integer(15), version >= 1, let created = row.integer(16)
        else { throw Self.damage }
        let checksum = row.integer(18)
        if let checksum { guard checksum == row.checksum(1..<18, of: Self.table) else { throw Self.damage } }
        let (label, name, about) = (row.integer(8), row.text(10), row.text(12))
        let author = try row.text(9) ?? row.integer(9).map { try texts.text($0, kind: .author, database) }
        guard let author else { throw Self.damage }
        let naming = name.map { ShortLinkName($0).map { ShortLinkNaming(name: $0, terms: row.bytes(11)) } }
        let user = about.map { UserID(stored: $0) }
        let word = try label.map { ShortLinkLabel(try texts.text($0, kind: .label, database)) }
        guard naming != .some(nil), user != .some(nil), word != .some(nil) else { throw Self.damage }
        self.number = number
        let createdAt = Timestamp(millisecondsSinceEpoch: created)
        link = ShortLink(
            code: code,
            kind: kind,
            naming: naming ?? nil,
            contents: ShortLinkContents(
                host: try row.integer(7).map { try texts.text($0, kind: .host, database) },
                target: ShortLinkTarget(
                    shape: ShortLinkShape(text: try texts.text(shape, kind: .shape, database)),
                    values: row.bytes(5),
                    text: target
                ),
                label: word ?? nil,
                expires: row.integer(13).map(Timestamp.init(millisecondsSinceEpoch:)),
                about: user ?? nil,
                signature: row.integer(14).map(ShortLinkSignature.init(stored:)),
                isWithdrawn: row.integer(3) != 0
            ),
            version: Int(version),
            createdAt: createdAt,
            author: author,
            updatedAt: row.integer(17).map(Timestamp.init(millisecondsSinceEpoch:)) ?? createdAt
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
