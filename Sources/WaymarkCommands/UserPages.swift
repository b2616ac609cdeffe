import DeepLinkCore

/// Walks all user states of a store, a page at a time.
struct UserPages {
    private static let pageSize = 1000

    private let store: any UserStateStore

    init(_ store: any UserStateStore) {
        self.store = store
    }

    /// Calls a body with each page, in the order of the ids.
    func visit(_ body: ([UserState]) throws -> Void) throws {
        var last: UserID?
        while true {
            let page = try store.states(after: last, limit: Self.pageSize)
            try body(page)
            guard page.count == Self.pageSize else { return }
            last = page.last?.id
        }
    }
}
