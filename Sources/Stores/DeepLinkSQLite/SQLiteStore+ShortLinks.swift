package import DeepLinkStorage
import GRDB

extension SQLiteStore: ShortLinkStore {
    /// The maximum number of links to scan for a page.
    ///
    /// The next page scans the rest.
    private static let maximumScanCount = 20_000

    package func link(for code: ShortLinkCode) throws -> Answer<ShortLinkLookupResult> {
        guard let links else { return .ready(.current(try readLink(for: code))) }
        if let known = links.find(code) { return .ready(.current(known.link)) }
        let ticket = links.ticket(for: code)
        let link = try readLink(for: code)
        links.remember(link, for: code, ticket: ticket)
        return .ready(.current(link))
    }

    private func readLink(for code: ShortLinkCode) throws -> ShortLink? {
        try explaining {
            try rows.read { [linkTexts] in
                try ShortLinkReader(texts: linkTexts, database: $0).find(code)
            } orWhole: { [linkTexts] in
                try ShortLinkReader(texts: linkTexts, database: $0).lookUp(code)
            }
        }
    }

    package func storedLink(for code: ShortLinkCode) throws -> ShortLink? {
        try readLinks { try $0.lookUp(code) }
    }

    /// Runs a read of short links.
    private func readLinks<Result>(_ body: (ShortLinkReader) throws -> Result) throws -> Result {
        try read { try body(ShortLinkReader(texts: linkTexts, database: $0)) }
    }

    package func storedLink(named name: ShortLinkName) throws -> ShortLink? { try storedLinks(named: [name])[name] }

    package func storedLinks(named names: [ShortLinkName]) throws -> [ShortLinkName: ShortLink] {
        guard !names.isEmpty else { return [:] }
        return try readLinks { reader in
            try names.reduce(into: [:]) { links, name in
                let link = try reader.rows("WHERE name = ?", [name.text]).first?.link
                guard link == nil || link?.naming?.name == name else { throw ShortLinkRow.damage }
                links[name] = link
            }
        }
    }

    package func position(after code: ShortLinkCode) throws -> ShortLinkPosition? {
        try read { database in
            try Int64.fetchOne(database, sql: "SELECT number FROM short_link WHERE code = ?", arguments: [code.text])
                .map(ShortLinkPosition.init(after:))
        }
    }

    package func history(of code: ShortLinkCode, after version: Int, limit: Int) throws -> [ShortLinkChange] {
        try readLinks { links in
            let changes = try links.changes(of: code, after: version, limit: limit)
            guard changes.isEmpty, version < 1, limit > 0, let link = try links.find(code) else { return changes }
            guard link.version == 1 else { throw ShortLinkHistoryRecord.damage }
            return [link.making]
        }
    }

    package func labels() throws -> [ShortLinkLabel] {
        try read { database in
            let isUsed = try database.cachedStatement(sql: "SELECT 1 FROM short_link WHERE label = ? LIMIT 1")
            return try InternedTexts.all(.label, database)
                .filter { try Int.fetchOne(isUsed, arguments: [$0.number]) != nil }
                .compactMap { ShortLinkLabel($0.text) }
        }
    }

    /// Counts the links of each shape, each with a read of its own, so that the log can be truncated in between.
    package func shapeCounts() async throws -> [(shape: ShortLinkShape, count: Int)] {
        var counts: [(shape: ShortLinkShape, count: Int)] = []
        for (number, text) in try read({ try InternedTexts.all(.shape, $0) }) {
            let (live, isUsed) = try await pool.read { database in
                let count = try database.cachedStatement(
                    sql: "SELECT count(*) FROM short_link WHERE shape = ? AND is_withdrawn = 0"
                )
                let any = try database.cachedStatement(sql: "SELECT 1 FROM short_link WHERE shape = ? LIMIT 1")
                return (
                    try Int.fetchOne(count, arguments: [number]) ?? 0,
                    try Int.fetchOne(any, arguments: [number]) != nil
                )
            }
            if isUsed { counts.append((ShortLinkShape(text: text), live)) }
        }
        return counts
    }

    package func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) throws -> ShortLinkPage {
        try readLinks { links in
            let query = try ShortLinkListQuery(filter, links.database)
            return try ShortLinkPage(
                filter,
                after: position,
                limit: limit,
                scanningAtMost: Self.maximumScanCount
            ) { number, count in
                try links.rows(of: query, after: number, count: count).map { ($0.number, $0.link) }
            }
        }
    }
}

/// The results of checking short links.
extension SQLiteStore: ShortLinkCheckStore {
    /// Returns a turn without an end, since a file has only one server.
    package func takeCheckTurn(_ turn: Int64?, for duration: Duration) async throws -> Int64? { turn ?? .max }

    package func shortLinkChecks() throws -> [ShortLinkCheckResult] {
        try readLinks { links in
            let select = try links.database.cachedStatement(sql: "SELECT shape, grounds, broken FROM short_link_check")
            return try Row.fetchAll(select)
                .map { row in
                    let shape = try links.texts.text(row.decode(Int64.self, atIndex: 0), kind: .shape, links.database)
                    return ShortLinkCheckResult(
                        shape: ShortLinkShape(text: shape),
                        grounds: try row.decode(Int64.self, atIndex: 1),
                        brokenCount: try row.decode(Int.self, atIndex: 2)
                    )
                }
        }
    }

    package func keep(_ check: ShortLinkCheckResult) async throws {
        try await write { database in
            // A new value, as in every change.
            guard let shape = try InternedTexts().number(of: check.shape.text, kind: .shape, database) else { return }
            try database.cachedStatement(
                sql: "REPLACE INTO short_link_check (shape, grounds, broken) VALUES (?, ?, ?)"
            )
            .execute(arguments: [shape, check.grounds, check.brokenCount])
        }
    }
}
