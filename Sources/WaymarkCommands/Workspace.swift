import DeepLinkCatalog
import DeepLinkCore
import DeepLinkStore
import DeepLinkStoring
import Foundation
import Logging

/// The catalog and the store that the settings name.
struct Workspace {
    let settings: Settings

    /// Loads the catalog.
    func catalog() throws -> RouteCatalog {
        try CommandError.translate { try CatalogLoader.load(contentsOf: settings.catalog) }
    }

    /// Opens the user states, creating the file where there is none.
    private func store() throws -> any OpenStore {
        try CommandError.translate {
            try SQLiteStore(path: settings.database, historyLimits: settings.historyLimits)
        }
    }

    /// Opens the user states for a server, the only one on the file.
    func servingStore(_ logger: Logger) throws -> any OpenStore {
        try CommandError.translate {
            try SQLiteStore(
                path: settings.database,
                use: .serving,
                maximumCachedUsers: settings.maximumCachedUsers,
                historyLimits: settings.historyLimits,
                logger: logger
            )
        }
    }

    /// Opens the user states of a file that must be there, runs a body, and closes them.
    func withExistingStore<Result>(_ body: (any OpenStore) async throws -> Result) async throws -> Result {
        guard FileManager.default.fileExists(atPath: settings.database) else {
            throw CommandError(
                .unavailable,
                "there is no database \(settings.database); `waymark serve`, `waymark user set` and "
                    + "`waymark token create` create it, or name another with --database."
            )
        }
        return try await withStore(body)
    }

    /// Opens the user states, runs a body, and closes them.
    func withStore<Result>(_ body: (any OpenStore) async throws -> Result) async throws -> Result {
        let store = try store()
        let result: Result
        do {
            result = try await body(store)
        } catch {
            try? store.close()
            throw CommandError.translated(store.explain(error))
        }
        try store.close()
        return result
    }
}
