import DeepLinkCore
package import DeepLinkStorage
import Synchronization

extension InMemoryUserStateStore: ShortLinkStore {
    package func link(for code: ShortLinkCode) throws -> Answer<ShortLinkLookupResult> {
        .ready(.current(withLedger { $0.shortLinks.link(for: code) }))
    }

    package func storedLink(for code: ShortLinkCode) throws -> ShortLink? {
        withLedger { $0.shortLinks.link(for: code) }
    }

    package func storedLinks(named names: [ShortLinkName]) throws -> [ShortLinkName: ShortLink] {
        withLedger { ledger in
            names.reduce(into: [:]) { links, name in links[name] = ledger.shortLinks.link(named: name) }
        }
    }

    package func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) throws -> ShortLinkPage {
        let all = numberedLinks.drop { link in position.map { link.number <= $0.number } ?? false }
        let found = all.filter { filter.includes($0.link.contents) }
        let links = found.prefix(limit)
        return ShortLinkPage(
            links: links.map(\.link),
            next: found.count > limit ? links.last.map { ShortLinkPosition(after: $0.number) } : nil
        )
    }

    package func position(after code: ShortLinkCode) throws -> ShortLinkPosition? {
        numberedLinks.first { $0.link.code == code }.map { ShortLinkPosition(after: $0.number) }
    }

    package func history(of code: ShortLinkCode, after version: Int, limit: Int) throws -> [ShortLinkChange] {
        let changes = withLedger { $0.shortLinks.records[code]?.changes ?? [] }
        return Array(changes.drop { $0.version <= version }.prefix(limit))
    }

    package func shapeCounts() throws -> [(shape: ShortLinkShape, count: Int)] {
        let links = numberedLinks.map(\.link)
        return Dictionary(grouping: links, by: \.contents.target.shape)
            .map { shape, links in
                (shape, links.count { !$0.contents.isWithdrawn })
            }
            .sorted { $0.shape.text.bytewise < $1.shape.text.bytewise }
    }

    package func labels() throws -> [ShortLinkLabel] {
        Set(numberedLinks.compactMap(\.link.contents.label)).sorted { $0.text.bytewise < $1.text.bytewise }
    }
}

extension InMemoryUserStateStore: ShortLinkCheckStore {
    package func takeCheckTurn(_ turn: Int64?, for duration: Duration) async throws -> Int64? { turn ?? .max }

    package func shortLinkChecks() throws -> [ShortLinkCheckResult] { checks.withLock { Array($0.values) } }

    package func keep(_ check: ShortLinkCheckResult) async throws { checks.withLock { $0[check.shape] = check } }
}
