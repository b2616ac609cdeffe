import DeepLinkCore
import DeepLinkPostgres
import DeepLinkSQLite
import DeepLinkStorage
import WaymarkTestSupport

/// The stores that must pass the conformance suites.
enum StoreKind {
    case memory, sqlite

    /// As a server opens it, so with levels remembered.
    case serving

    /// A PostgreSQL database, as a command opens it.
    case postgres

    /// The same, as a server opens it.
    case postgresServing

    /// The same without the functions of snapshots, in SERIALIZABLE transactions, as other engines have them.
    case postgresByAge

    /// Those that can be tried: PostgreSQL if a server is named (``PostgresFixture``).
    static var allCases: [StoreKind] {
        [.memory, .sqlite, .serving]
            + (PostgresFixture.server == nil ? [] : [.postgres, .postgresServing, .postgresByAge])
    }

    /// Runs a body with a new store of the kind, seen as what the suite is about.
    func with<Store>(
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        codeGenerator: ShortLinkCodeGenerator = .system,
        memory: () -> Store,
        stored: (any OpenStore) -> Store,
        _ body: (Store) async throws -> Void
    ) async throws {
        switch self {
        case .memory: try await body(memory())
        case .sqlite, .serving:
            try await TemporaryFolder.with { folder in
                let store = try SQLiteStore(
                    path: folder + "/states.sqlite",
                    use: self == .serving ? .serving : .offline,
                    historyLimits: historyLimits,
                    codeGenerator: codeGenerator
                )
                try await body(stored(store))
                try store.close()
            }
        case .postgres, .postgresServing, .postgresByAge:
            try await PostgresFixture.with(isSerializable: self == .postgresByAge) { fixture in
                let store = try await fixture.open(
                    self == .postgres ? .offline(creating: true) : .serving,
                    historyLimits: historyLimits,
                    usesSnapshots: self != .postgresByAge,
                    codeGenerator: codeGenerator
                )
                try await body(stored(store))
                store.close()
            }
        }
    }
}
