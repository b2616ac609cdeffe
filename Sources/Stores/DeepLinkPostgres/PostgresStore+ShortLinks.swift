package import DeepLinkStorage

extension PostgresStore: ShortLinkStore {
    /// The maximum number of links to scan for a page.
    ///
    /// The next page scans the rest.
    private static let maximumScanCount = 20_000

    package func link(for code: ShortLinkCode) throws -> Answer<ShortLinkLookupResult> {
        if let known = links?.find(code) { return .ready(.current(known.link)) }
        // A database known to be out of reach isn't waited for.
        if health.isAway, let stale = staleLink(for: code) { return .ready(stale) }
        return .waiting { [self] in try await readLink(for: code) }
    }

    private func readLink(for code: ShortLinkCode) async throws -> ShortLinkLookupResult {
        let ticket = links?.ticket(for: code)
        do {
            let link = try await levelReader.link(for: code)
            if let ticket { links?.remember(link, for: code, ticket: ticket) }
            return .current(link)
        } catch {
            guard let stale = staleLink(for: code) else { throw error }
            return stale
        }
    }

    /// Returns the last known link while the database is unreachable, within the configured limit.
    private func staleLink(for code: ShortLinkCode) -> ShortLinkLookupResult? {
        guard let links, memory.staleIfError > .zero,
            let known = links.find(code, within: memory.staleIfError)
        else { return nil }
        return .stale(known.link)
    }

    package func storedLink(for code: ShortLinkCode) async throws -> ShortLink? {
        try await pages.run { connection throws(PostgresError) in try connection.links(for: [code])[code] }
    }

    package func storedLinks(named names: [ShortLinkName]) async throws -> [ShortLinkName: ShortLink] {
        guard !names.isEmpty else { return [:] }
        let links = try await pages.rows(
            "SELECT \(ShortLinkRows.columns) FROM \(ShortLinkRows.tables) WHERE link.name = ANY($1::text[])",
            .texts(names.map(\.text)),
            each: ShortLink.init
        )
        return links.reduce(into: [:]) { found, link in if let name = link.naming?.name { found[name] = link } }
    }

    package func position(after code: ShortLinkCode) async throws -> ShortLinkPosition? {
        try await pages.rows("SELECT number FROM short_link WHERE code = $1::text", .text(code.text)) {
            row throws(PostgresError) in ShortLinkPosition(after: try row.number(0))
        }
        .first
    }

    package func history(of code: ShortLinkCode, after version: Int, limit: Int) async throws -> [ShortLinkChange] {
        try await pages.run { connection throws(PostgresError) in
            try connection.history(of: code, after: version, limit: limit)
        }
    }

    package func labels() async throws -> [ShortLinkLabel] {
        try await pages.rows(
            """
            SELECT text FROM short_link_label
            WHERE EXISTS (SELECT 1 FROM short_link WHERE label = short_link_label.text) ORDER BY text
            """
        ) { row throws(PostgresError) in try row.label(0) }
        .compactMap(\.self)
    }

    package func shapeCounts() async throws -> [(shape: ShortLinkShape, count: Int)] {
        try await counting.rows(
            """
            SELECT shape.text, counted.count FROM short_link_shape AS shape JOIN (
                SELECT shape, count(*) FILTER (WHERE NOT is_withdrawn) AS count FROM short_link GROUP BY shape)
                AS counted ON counted.shape = shape.digest
            ORDER BY shape.text COLLATE "C"
            """
        ) { row throws(PostgresError) in
            (ShortLinkShape(text: try row.text(0)), Int(try row.number(1)))
        }
    }

    package func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) async throws -> ShortLinkPage {
        let isByShape = filter.route != nil || filter.shapes != nil
        return try await pages.run { connection throws(PostgresError) in
            let shapes =
                isByShape
                ? try connection.run("SELECT text FROM short_link_shape ORDER BY text COLLATE \"C\"")
                    .map { row throws(PostgresError) in ShortLinkShape(text: try row.text(0)) }
                    .filter(filter.includes) : nil
            return try ShortLinkPage(
                filter,
                after: position,
                limit: limit,
                scanningAtMost: Self.maximumScanCount
            ) { number, count throws(PostgresError) in
                try connection.links(filter, after: number, count: count, shapes: shapes)
            }
        }
    }
}

/// The results of checking short links, which replicas share.
extension PostgresStore: ShortLinkCheckStore {
    package func takeCheckTurn(_ turn: Int64?, for duration: Duration) async throws -> Int64? {
        // The database's clock, since the clocks of replicas differ.
        let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        return
            try await pages.rows(
                """
                INSERT INTO stored_number AS known (name, value) VALUES ('short link check', \(now) + $1::bigint)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                WHERE known.value < \(now) OR known.value = $2::bigint
                RETURNING value
                """,
                .number(duration.components.seconds * 1000),
                .number(turn)
            ) { row throws(PostgresError) in try row.number(0) }
            .first
    }

    package func shortLinkChecks() async throws -> [ShortLinkCheckResult] {
        try await pages.rows(
            """
            SELECT shape.text, result.grounds, result.broken FROM short_link_check AS result
            JOIN short_link_shape AS shape ON shape.digest = result.shape
            """
        ) { row throws(PostgresError) in
            ShortLinkCheckResult(
                shape: ShortLinkShape(text: try row.text(0)),
                grounds: try row.number(1),
                brokenCount: Int(try row.number(2))
            )
        }
    }

    package func keep(_ check: ShortLinkCheckResult) async throws {
        try await pages.run(
            Statement(
                """
                INSERT INTO short_link_check (shape, grounds, broken) VALUES ($1::bytea, $2::bigint, $3::bigint)
                ON CONFLICT (shape) DO UPDATE SET grounds = excluded.grounds, broken = excluded.broken
                """,
                .bytes(ShortLinkRows.digest(of: check.shape)),
                .number(check.grounds),
                .number(Int64(check.brokenCount))
            )
        )
    }
}
