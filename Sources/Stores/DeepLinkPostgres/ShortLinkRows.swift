import Crypto
import DeepLinkCore
import DeepLinkStorage

/// The reads of `short_link` and `short_link_history`.
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

    /// Returns the links of codes, each as written, otherwise without case, otherwise as the server spells codes.
    static func links(
        for codes: [ShortLinkCode],
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> [ShortLinkCode: ShortLink] {
        let spellings = Set(codes.flatMap { [$0.folded, $0.spelledByServer] }).map(\.text)
        let rows = try connection.run(
            Statement("SELECT \(columns) FROM \(tables) WHERE link.folded = ANY($1::text[])", .texts(spellings)),
            until: deadline
        )
        // The ledger defines the rule.
        var ledger = ShortLinkLedger()
        for row in 0..<rows.count { ledger.read(try rows.shortLink(row)) }
        var found: [ShortLinkCode: ShortLink] = [:]
        for code in codes { found[code] = ledger.link(for: code) }
        return found
    }

    /// Reads the links of names.
    ///
    /// Names without a link are left out.
    static func links(
        named names: [ShortLinkName],
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> [ShortLinkName: ShortLink] {
        let rows = try connection.run(
            Statement("SELECT \(columns) FROM \(tables) WHERE link.name = ANY($1::text[])", .texts(names.map(\.text))),
            until: deadline
        )
        var links: [ShortLinkName: ShortLink] = [:]
        for row in 0..<rows.count {
            let link = try rows.shortLink(row)
            if let name = link.naming?.name { links[name] = link }
        }
        return links
    }

    /// Reads a link's changes, oldest first.
    ///
    /// For a link that was never changed, this is its creation.
    static func history(
        of code: ShortLinkCode,
        after version: Int,
        limit: Int,
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> [ShortLinkChange] {
        let rows = try connection.run(
            [
                Statement(
                    """
                    SELECT \(changeColumns) FROM \(changeTables)
                    WHERE change.code = $1::text AND change.version > $2::bigint
                    ORDER BY change.version LIMIT $3::bigint
                    """,
                    .text(code.text),
                    .number(Int64(version)),
                    .number(Int64(limit))
                ),
                Statement("SELECT \(columns) FROM \(tables) WHERE link.code = $1::text", .text(code.text)),
            ],
            until: deadline
        )
        let changes = try rows[0].map { row throws(PostgresError) in try rows[0].shortLinkChange(row).change }
        guard changes.isEmpty, version < 1, limit > 0, rows[1].count == 1 else { return changes }
        let link = try rows[1].shortLink(0)
        // Otherwise, the link was changed between the two reads.
        return link.version == 1 ? [link.making] : []
    }

    /// Reads up to `count` links that may pass a filter, after a number, in order.
    static func links(
        _ filter: ShortLinkFilter,
        after number: Int64,
        count: Int,
        shapes: [ShortLinkShape]?,
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> [(number: Int64, link: ShortLink)] {
        var values: [SQLValue] = [.number(number), .number(Int64(count))]
        let source: String
        if let user = filter.about {
            values.append(.text(user.text))
            source = "SELECT number FROM short_link WHERE about = $3::text AND \(next)"
        } else if let label = filter.label {
            values.append(.text(label.text))
            source = "SELECT number FROM short_link WHERE label = $3::text AND \(next)"
        } else if let shapes {
            values.append(.byteStrings(shapes.map(digest)))
            // Each shape is sorted by itself. Together, all of them would have to be sorted for each page.
            source = """
                SELECT found.number FROM unnest($3::bytea[]) AS asked (shape) CROSS JOIN LATERAL (
                    SELECT number FROM short_link WHERE shape = asked.shape AND \(next)) AS found
                ORDER BY found.number LIMIT $2::bigint
                """
        } else {
            source = "SELECT number FROM short_link WHERE \(next)"
        }
        let rows = try connection.run(
            Statement(
                "SELECT \(columns) FROM \(tables) WHERE link.number IN (\(source)) ORDER BY link.number",
                values: values
            ),
            until: deadline
        )
        return try rows.map { row throws(PostgresError) in (try rows.number(row, column: 0), try rows.shortLink(row)) }
    }

    private static let next = "number > $1::bigint ORDER BY number LIMIT $2::bigint"

    /// Reads the shapes, in the order of their bytes.
    static func shapes(_ connection: PostgresConnection, until deadline: Moment) throws(PostgresError)
        -> [ShortLinkShape]
    {
        let rows = try connection.run(
            Statement("SELECT text FROM short_link_shape ORDER BY text COLLATE \"C\""),
            until: deadline
        )
        return try rows.map { row throws(PostgresError) in ShortLinkShape(text: try rows.text(row, column: 0)) }
    }

    /// Counts the links of each shape, in one query.
    static func shapeCounts(_ connection: PostgresConnection, until deadline: Moment) throws(PostgresError)
        -> [ShortLinkShapeCount]
    {
        let rows = try connection.run(
            Statement(
                """
                SELECT shape.text, counted.count FROM short_link_shape AS shape JOIN (
                    SELECT shape, count(*) FILTER (WHERE NOT is_withdrawn) AS count FROM short_link GROUP BY shape)
                    AS counted ON counted.shape = shape.digest
                ORDER BY shape.text COLLATE "C"
                """
            ),
            until: deadline
        )
        return try rows.map { row throws(PostgresError) in
            ShortLinkShapeCount(
                shape: ShortLinkShape(text: try rows.text(row, column: 0)),
                count: Int(try rows.number(row, column: 1))
            )
        }
    }

    /// Reads the labels in use.
    static func labels(_ connection: PostgresConnection, until deadline: Moment) throws(PostgresError)
        -> [ShortLinkLabel]
    {
        let rows = try connection.run(
            Statement(
                """
                SELECT text FROM short_link_label
                WHERE EXISTS (SELECT 1 FROM short_link WHERE label = short_link_label.text) ORDER BY text
                """
            ),
            until: deadline
        )
        return try rows.map { row throws(PostgresError) in
            guard let label = ShortLinkLabel(try rows.text(row, column: 0)) else { throw .unexpected("a label") }
            return label
        }
    }
}

extension ResultRows {
    /// Returns the link in a row of ``ShortLinkRows/columns``.
    func shortLink(_ row: Int) throws(PostgresError) -> ShortLink {
        let name = try optionalText(row, column: 10).map { ShortLinkName($0) }
        guard let code = ShortLinkCode(try text(row, column: 1)),
            let kind = ShortLinkKind(rawValue: Int(try number(row, column: 2))), name != .some(nil)
        else { throw .unexpected("an invalid short link") }
        var naming: ShortLinkNaming?
        if let name = name ?? nil { naming = ShortLinkNaming(name: name, terms: try byteString(row, column: 11)) }
        var signature: ShortLinkSignature?
        if let end = try optionalNumber(row, column: 14) {
            signature = ShortLinkSignature(end: end == .max ? nil : Timestamp(millisecondsSinceEpoch: end))
        }
        return ShortLink(
            code: code,
            kind: kind,
            naming: naming,
            contents: ShortLinkContents(
                host: try optionalText(row, column: 7),
                target: try target(row, column: 4),
                label: try label(row, column: 8),
                expires: try optionalNumber(row, column: 13).map(Timestamp.init(millisecondsSinceEpoch:)),
                about: try optionalText(row, column: 12) == nil ? nil : try user(row, column: 12),
                signature: signature,
                isWithdrawn: try number(row, column: 3) != 0
            ),
            version: Int(try number(row, column: 15)),
            createdAt: try time(row, column: 16),
            author: try text(row, column: 9),
            updatedAt: try time(row, column: 17)
        )
    }

    /// Returns the change in a row of ``ShortLinkRows/changeColumns``, and its link's code.
    func shortLinkChange(_ row: Int) throws(PostgresError) -> (code: ShortLinkCode, change: ShortLinkChange) {
        guard let code = ShortLinkCode(try text(row, column: 0)) else { throw .unexpected("a code") }
        let change = ShortLinkChange(
            version: Int(try number(row, column: 1)),
            target: try target(row, column: 2),
            label: try label(row, column: 5),
            expires: try optionalNumber(row, column: 6).map(Timestamp.init(millisecondsSinceEpoch:)),
            isWithdrawn: try number(row, column: 7) != 0,
            at: try time(row, column: 8),
            author: try text(row, column: 9)
        )
        return (code, change)
    }

    /// Returns the target in three columns: shape, parameters and link.
    private func target(_ row: Int, column: Int) throws(PostgresError) -> ShortLinkTarget {
        ShortLinkTarget(
            shape: ShortLinkShape(text: try text(row, column: column)),
            values: try byteString(row, column: column + 1),
            text: try text(row, column: column + 2)
        )
    }

    private func label(_ row: Int, column: Int) throws(PostgresError) -> ShortLinkLabel? {
        guard let text = try optionalText(row, column: column) else { return nil }
        guard let label = ShortLinkLabel(text) else { throw .unexpected("a label") }
        return label
    }
}
