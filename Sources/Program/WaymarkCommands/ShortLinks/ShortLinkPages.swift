import DeepLinkStorage

/// The pages of a store: short links, and the history of one.
struct ShortLinkPages {
    private static let pageSize = 1000

    private let store: any ShortLinkStore

    init(_ store: any ShortLinkStore) { self.store = store }

    /// Calls a body with the links of each page that pass a filter, in the order in which they were made.
    func visit(_ filter: ShortLinkFilter, _ body: ([ShortLink]) throws -> Void) async throws {
        var next: ShortLinkPosition?
        repeat {
            let page = try await store.shortLinks(filter, after: next, limit: Self.pageSize)
            try body(page.links)
            next = page.next
        } while next != nil
    }

    /// Reads all changes of a link, from the one that made it on.
    func history(of code: ShortLinkCode) async throws -> [ShortLinkChange] {
        var changes: [ShortLinkChange] = []
        while true {
            let page = try await store.history(of: code, after: changes.last?.version ?? 0, limit: Self.pageSize)
            changes += page
            guard page.count == Self.pageSize else { return changes }
        }
    }
}
