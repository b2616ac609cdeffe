import Crypto
import DeepLinkCore
import DeepLinkStorage

/// The columns of short links, as `ResultRow` reads them.
enum ShortLinkRows {
    /// The columns of a link, with the columns of its shape.
    static let columns = """
        link.number, link.code, link.kind, link.is_withdrawn::integer, shape.text, link.parameters, link.target,
        link.host, link.label, link.author, link.name, link.terms, link.about, link.expires_at, link.signed_until,
        link.version, link.created_at, link.updated_at
        """

    /// The tables of ``columns``.
    static let tables = "short_link AS link JOIN short_link_shape AS shape ON shape.digest = link.shape"

    /// The columns of a change, with the columns of its shape.
    static let changeColumns = """
        change.code, change.version, shape.text, change.parameters, change.target, change.label, change.expires_at,
        change.is_withdrawn::integer, change.at, change.author
        """

    /// The tables of ``changeColumns``.
    static let changeTables = """
        short_link_history AS change JOIN short_link_shape AS shape ON shape.digest = change.shape
        """

    /// Returns the key of a shape: the first half of its SHA-256, since the length of text in an index is limited.
    static func digest(of shape: ShortLinkShape) -> [UInt8] {
        Array(SHA256.hash(data: Array(shape.text.utf8)).prefix(16))
    }
}

extension PostgresConnection {
    /// Returns the links of codes, each as written, otherwise without case, otherwise as the server spells codes.
    func links(for codes: [ShortLinkCode]) throws(PostgresError) -> [ShortLinkCode: ShortLink] {
        let spellings = Set(codes.flatMap { [$0.folded, $0.spelledByServer] }).map(\.text)
        let rows = try run(
            "SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables) WHERE link.folded = ANY($1::text[])",
            .texts(spellings)
        )
        // The ledger defines the rule.
        var ledger = ShortLinkLedger()
        for row in rows { ledger.read(try ShortLink(row)) }
        var found: [ShortLinkCode: ShortLink] = [:]
        for code in codes { found[code] = ledger.link(for: code) }
        return found
    }

    /// Reads a link's changes, oldest first.
    ///
    /// For a link that was never changed, this is its creation.
    func history(of code: ShortLinkCode, after version: Int, limit: Int) throws(PostgresError) -> [ShortLinkChange] {
        let rows = try run([
            Statement(
                """
                SELECT \(ShortLinkRows.changeColumns) FROM \(ShortLinkRows.changeTables)
                WHERE change.code = $1::text AND change.version > $2::bigint
                ORDER BY change.version LIMIT $3::bigint
                """,
                .text(code.text),
                .number(Int64(version)),
                .number(Int64(limit))
            ),
            Statement(
                "SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables) WHERE link.code = $1::text",
                .text(code.text)
            ),
        ])
        let changes = try rows[0].map(ShortLinkChange.init)
        guard changes.isEmpty, version < 1, limit > 0, rows[1].count == 1 else { return changes }
        let link = try ShortLink(rows[1][0])
        // Otherwise, the link was changed between the two reads.
        return link.version == 1 ? [link.making] : []
    }

    /// Reads up to `count` links that may pass a filter, after a number, in order.
    func links(
        _ filter: ShortLinkFilter,
        after number: Int64,
        count: Int,
        shapes: [ShortLinkShape]?
    ) throws(PostgresError) -> [(number: Int64, link: ShortLink)] {
        let next = "number > $1::bigint ORDER BY number LIMIT $2::bigint"
        var values: [SQLValue] = [.number(number), .number(Int64(count))]
        let source: String
        if let user = filter.about {
            values.append(.text(user.text))
            source = "SELECT number FROM short_link WHERE about = $3::text AND \(next)"
        } else if let label = filter.label {
            values.append(.text(label.text))
            source = "SELECT number FROM short_link WHERE label = $3::text AND \(next)"
        } else if let shapes {
            values.append(.byteStrings(shapes.map(ShortLinkRows.digest)))
            // Each shape is sorted by itself. Together, all of them would have to be sorted for each page.
            source = """
                SELECT found.number FROM unnest($3::bytea[]) AS asked (shape) CROSS JOIN LATERAL (
                    SELECT number FROM short_link WHERE shape = asked.shape AND \(next)) AS found
                ORDER BY found.number LIMIT $2::bigint
                """
        } else {
            source = "SELECT number FROM short_link WHERE \(next)"
        }
        let links = Statement(
            """
            SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables) WHERE link.number IN (\(source))
            ORDER BY link.number
            """,
            values: values
        )
        return try run(links).map { row throws(PostgresError) in (try row.number(0), try ShortLink(row)) }
    }
}

extension ShortLink {
    /// Reads a row of `ShortLinkRows.columns`.
    init(_ row: ResultRow) throws(PostgresError) {
        let name = try row.optionalText(10).map { ShortLinkName($0) }
        guard let code = ShortLinkCode(try row.text(1)), let kind = ShortLinkKind(rawValue: Int(try row.number(2))),
            name != .some(nil)
        else { throw .unexpected("an invalid short link") }
        var naming: ShortLinkNaming?
        if let name = name ?? nil { naming = ShortLinkNaming(name: name, terms: try row.bytes(11)) }
        let signatureEnd = try row.optionalNumber(14)
        self.init(
            code: code,
            kind: kind,
            naming: naming,
            contents: ShortLinkContents(
                host: try row.optionalText(7),
                target: try row.target(4),
                label: try row.label(8),
                expires: try row.optionalTime(13),
                about: try row.optionalText(12) == nil ? nil : try row.user(12),
                signature: signatureEnd.map(ShortLinkSignature.init(stored:)),
                isWithdrawn: try row.number(3) != 0
            ),
            version: Int(try row.number(15)),
            createdAt: try row.time(16),
            author: try row.text(9),
            updatedAt: try row.time(17)
        )
    }
}

extension ShortLinkChange {
    /// Reads a row of `ShortLinkRows.changeColumns`.
    init(_ row: ResultRow) throws(PostgresError) {
        self.init(
            version: Int(try row.number(1)),
            target: try row.target(2),
            label: try row.label(5),
            expires: try row.optionalTime(6),
            isWithdrawn: try row.number(7) != 0,
            at: try row.time(8),
            author: try row.text(9)
        )
    }
}

extension ResultRow {
    /// Returns the code in the first column.
    func code() throws(PostgresError) -> ShortLinkCode {
        guard let code = ShortLinkCode(try text(0)) else { throw .unexpected("a code") }
        return code
    }

    /// Returns the target in three columns: shape, parameters and link.
    fileprivate func target(_ column: Int) throws(PostgresError) -> ShortLinkTarget {
        ShortLinkTarget(
            shape: ShortLinkShape(text: try text(column)),
            values: try bytes(column + 1),
            text: try text(column + 2)
        )
    }

    /// Returns the label in a column, or `nil` if there is none.
    func label(_ column: Int) throws(PostgresError) -> ShortLinkLabel? {
        guard let text = try optionalText(column) else { return nil }
        guard let label = ShortLinkLabel(text) else { throw .unexpected("a label") }
        return label
    }
}
