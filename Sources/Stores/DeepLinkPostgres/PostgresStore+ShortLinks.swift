package import DeepLinkStorage

extension PostgresStore: ShortLinkLedgerStore {
    /// The maximum number of links to scan for a page.
    ///
    /// The next page scans the rest.
    private static let maximumScanCount = 20_000

    package func link(for code: ShortLinkCode) throws -> Answer<ShortLinkLookup> {
        if let known = links?.find(code) { return .ready(.current(known.link)) }
        // A database known to be out of reach isn't waited for.
        if health.isAway, let stale = staleLink(for: code) { return .ready(stale) }
        return .waiting { [self] in try await readLink(for: code) }
    }

    private func readLink(for code: ShortLinkCode) async throws -> ShortLinkLookup {
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
    private func staleLink(for code: ShortLinkCode) -> ShortLinkLookup? {
        guard let links, memory.staleIfError > .zero,
            let known = links.find(code, within: memory.staleIfError)
        else { return nil }
        return .stale(known.link)
    }

    package func storedLink(for code: ShortLinkCode) async throws -> ShortLink? {
        try await pages.run { connection, deadline throws(PostgresError) in
            try ShortLinkRows.links(for: [code], connection, until: deadline)[code]
        }
    }

    package func storedLink(named name: ShortLinkName) async throws -> ShortLink? {
        try await pages.run { connection, deadline throws(PostgresError) in
            try ShortLinkRows.links(named: [name], connection, until: deadline)[name]
        }
    }

    package func storedLinks(named names: [ShortLinkName]) async throws -> [ShortLinkName: ShortLink] {
        guard !names.isEmpty else { return [:] }
        return try await pages.run { connection, deadline throws(PostgresError) in
            try ShortLinkRows.links(named: names, connection, until: deadline)
        }
    }

    package func position(after code: ShortLinkCode) async throws -> ShortLinkPosition? {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement("SELECT number FROM short_link WHERE code = $1::text", .text(code.text)),
                until: deadline
            )
            return rows.count == 0 ? nil : ShortLinkPosition(after: try rows.number(0, column: 0))
        }
    }

    package func history(of code: ShortLinkCode, after version: Int, limit: Int) async throws -> [ShortLinkChange] {
        try await pages.run { connection, deadline throws(PostgresError) in
            try ShortLinkRows.history(of: code, after: version, limit: limit, connection, until: deadline)
        }
    }

    package func labels() async throws -> [ShortLinkLabel] {
        try await pages.run { connection, deadline throws(PostgresError) in
            try ShortLinkRows.labels(connection, until: deadline)
        }
    }

    package func shapeCounts() async throws -> [ShortLinkShapeCount] {
        try await counting.run { connection, deadline throws(PostgresError) in
            try ShortLinkRows.shapeCounts(connection, until: deadline)
        }
    }

    package func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) async throws -> ShortLinkPage {
        try await pages.run { connection, deadline throws(PostgresError) in
            let isByShape = filter.route != nil || filter.shapes != nil
            let shapes =
                isByShape
                ? try ShortLinkRows.shapes(connection, until: deadline).filter { filter.includes($0) } : nil
            return try ShortLinkPage(
                filter,
                after: position,
                limit: limit,
                scanningAtMost: Self.maximumScanCount
            ) { number, count throws(PostgresError) in
                try ShortLinkRows.links(
                    filter,
                    after: number,
                    count: count,
                    shapes: shapes,
                    connection,
                    until: deadline
                )
            }
        }
    }
}
