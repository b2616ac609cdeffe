import DeepLinkStore
import WaymarkTestSupport

/// Lists the stores that must pass the conformance suites.
enum StoreKind: CaseIterable {
    case memory, sqlite

    /// Runs a body with a new store of the kind, seen as what the suite is about.
    func with<Store>(
        memory: () -> Store,
        sqlite: (SQLiteUserStateStore) -> Store,
        _ body: (Store) async throws -> Void
    ) async throws {
        switch self {
        case .memory: try await body(memory())
        case .sqlite:
            try await TemporaryFolder.with { folder in
                let store = try SQLiteUserStateStore(path: folder + "/states.sqlite")
                try await body(sqlite(store))
                try store.close()
            }
        }
    }
}
