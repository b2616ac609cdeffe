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

    /// The database's path, from the root on, for messages: the same name means another file in another folder.
    var databasePath: String { URL(fileURLWithPath: settings.database).path }

    /// Opens the user states, creating the file where there is none.
    private func store() throws -> any OpenStore {
        try CommandError.translate {
            try SQLiteStore(path: settings.database, historyLimits: settings.historyLimits)
        }
    }

    /// Opens the user states for a server, the only one on the file.
    ///
    /// - Parameters:
    ///   - logger: where the store says what an operator should know.
    ///   - patience: how many seconds another server on the file may take to end.
    /// - Returns: the store, which is locked for this server.
    /// - Throws: ``CommandError`` where it cannot be had.
    func servingStore(_ logger: Logger, patience: Int) async throws -> any OpenStore {
        let end = ContinuousClock.now + .seconds(patience)
        var hasToldSo = false
        while true {
            do {
                return try servingStore(logger)
            } catch let error as StoreOpenError {
                guard case .served = error, ContinuousClock.now < end else { throw CommandError.translated(error) }
                if !hasToldSo { logger.info("Waiting for the server that still serves the database.") }
                hasToldSo = true
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func servingStore(_ logger: Logger) throws -> any OpenStore {
        try SQLiteStore(
            path: settings.database,
            use: .serving,
            maximumCachedUsers: settings.maximumCachedUsers,
            historyLimits: settings.historyLimits,
            logger: logger
        )
    }

    /// Opens the user states of a file that must be there, runs a body, and closes them.
    ///
    /// - Parameters:
    ///   - isNamed: whether standard error says which file it is.
    ///   - canCreate: whether a file is made where there is none.
    ///   - body: what is done with the store.
    /// - Returns: what the body returns.
    /// - Throws: ``CommandError``, and what the body throws.
    func withStore<Result>(
        named isNamed: Bool = false,
        creating canCreate: Bool = false,
        _ body: (any OpenStore) async throws -> Result
    ) async throws -> Result {
        let isNew = !FileManager.default.fileExists(atPath: settings.database)
        guard !isNew || canCreate else {
            throw CommandError(
                .unavailable,
                "there is no database \(databasePath). Name the one of your server with --database; `waymark serve` makes "
                    + "one, and so do `waymark token create`, `waymark user set` and `waymark user import` with --create."
            )
        }
        let store = try store()
        if isNamed { StandardError.print("waymark: \(isNew ? "new " : "")database \(databasePath)") }
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
