package import DeepLinkStorage

extension PostgresStore: ShortLinkLedgerStore {
    /// The most links that a page is found among; the others wait for the next one.
    private static let maximumScanCount = 20_000

    package func linkAtHand(for code: ShortLinkCode) throws -> ShortLinkLookup? {
        guard let links else { return nil }
        if let known = links.find(code) { return .current(known.link) }
        // A database known to be out of reach isn't waited for.
        return health.isAway ? staleLink(for: code) : nil
    }

    package func readLink(
        for code: ShortLinkCode,
        _ tell: @escaping @Sendable (Result<ShortLinkLookup, any Error>) -> Void
    ) {
        let ticket = links?.ticket(for: code)
        levelReader.readLink(for: code) { [self] read in
            switch read {
            case .success(let link):
                if let ticket { links?.remember(link, for: code, ticket: ticket) }
                tell(.success(.current(link)))
            case .failure(let error): tell(staleLink(for: code).map { .success($0) } ?? .failure(error))
            }
        }
    }

    /// Returns the last known link, within the settings' limit while the database is out of reach.
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
