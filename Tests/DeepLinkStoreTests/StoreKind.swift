import DeepLinkCore
import DeepLinkStore
import WaymarkTestSupport

/// The stores that must pass the conformance suites.
enum StoreKind: CaseIterable {
    case memory, sqlite

    /// As a server opens it, so with levels remembered.
    case serving

    /// Runs a body with a new store of the kind, seen as what the suite is about.
    func with<Store>(
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        memory: () -> Store,
        sqlite: (SQLiteStore) -> Store,
        _ body: (Store) async throws -> Void
    ) async throws {
        switch self {
        case .memory: try await body(memory())
        case .sqlite, .serving:
            try await TemporaryFolder.with { folder in
                let store = try SQLiteStore(
                    path: folder + "/states.sqlite",
                    use: self == .serving ? .serving : .offline,
                    historyLimits: historyLimits
                )
                try await body(sqlite(store))
                try store.close()
            }
        }
    }
}
