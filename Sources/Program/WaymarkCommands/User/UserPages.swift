import DeepLinkCore
import DeepLinkStorage

/// The pages of a store: user states, and the history of one.
struct UserPages {
    private static let pageSize = 1000

    private let store: any UserStateStore

    init(_ store: any UserStateStore) {
        self.store = store
    }

    /// Reads all kept changes of a user.
    func history(of id: UserID) async throws -> [UserChange] {
        var changes: [UserChange] = []
        while true {
            let page = try await store.history(of: id, after: changes.last?.version ?? 0, limit: Self.pageSize)
            changes += page
            guard page.count == Self.pageSize else { return changes }
        }
    }

    /// Calls a body with each page, in the order of the ids.
    func visit(_ body: ([UserState]) throws -> Void) async throws {
        var last: UserID?
        while true {
            let page = try await store.states(after: last, limit: Self.pageSize)
            try body(page)
            guard page.count == Self.pageSize else { return }
            last = page.last?.id
        }
    }
}
