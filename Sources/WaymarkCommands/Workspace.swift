import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkPostgres
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

    /// Reads the keys that sign links; there are none where no file is set.
    ///
    /// - Throws: ``CommandError`` where the file holds none.
    func signingKeys() throws -> LinkSigningKeys {
        LinkSigningKeys(try settings.signingKeys.map { try SigningKeyFile(path: $0).keys() } ?? [])
    }

    /// Reads the keys that sign links, where a catalog has links to verify: few people may read the file.
    ///
    /// - Throws: ``CommandError`` where the file holds none.
    func signingKeys(for catalog: RouteCatalog) throws -> LinkSigningKeys {
        catalog.hasSignedRoutes ? try signingKeys() : LinkSigningKeys()
    }

    /// Opens the user states, creating the file where there is none.
    private func store(creating canCreate: Bool) async throws -> any OpenStore {
        do {
            switch settings.database {
            case .file(let path): return try SQLiteStore(path: path, historyLimits: settings.historyLimits)
            case .postgres(let location):
                return try await PostgresStore(
                    location,
                    use: .offline(creating: canCreate),
                    historyLimits: settings.historyLimits
                )
            }
        } catch {
            throw CommandError.translated(error)
        }
    }

    /// Opens the user states for a server, the only one on a file, or one of several on a database.
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
                return try await servingStore(logger)
            } catch let error as PostgresError {
                throw CommandError.translated(error)
            } catch let error as StoreOpenError {
                guard case .served = error, ContinuousClock.now < end else { throw CommandError.translated(error) }
                if !hasToldSo { logger.info("Waiting for the server that still serves the database.") }
                hasToldSo = true
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func servingStore(_ logger: Logger) async throws -> any OpenStore {
        switch settings.database {
        case .file(let path):
            try SQLiteStore(
                path: path,
                use: .serving,
                maximumCachedUsers: settings.maximumCachedUsers,
                historyLimits: settings.historyLimits,
                logger: logger
            )
        case .postgres(let location):
            try await PostgresStore(
                location,
                use: .serving,
                memory: PostgresStore.Memory(
                    maximumUsers: settings.maximumCachedUsers,
                    maximumStaleness: .seconds(settings.maximumStaleness),
                    staleIfError: .seconds(settings.staleIfError)
                ),
                historyLimits: settings.historyLimits
            )
        }
    }

    /// Opens the user states of a database that must be there, runs a body, and closes them.
    ///
    /// - Parameters:
    ///   - isNamed: whether standard error says which database it is.
    ///   - canCreate: whether one is made where there is none.
    ///   - body: what is done with the store.
    /// - Returns: what the body returns.
    /// - Throws: ``CommandError``, and what the body throws.
    func withStore<Result>(
        named isNamed: Bool = false,
        creating canCreate: Bool = false,
        _ body: (any OpenStore) async throws -> Result
    ) async throws -> Result {
        var isNew = false
        if case .file(let path) = settings.database { isNew = !FileManager.default.fileExists(atPath: path) }
        guard !isNew || canCreate else {
            throw CommandError(
                .unavailable,
                "there is no database \(settings.database.name). Name the one of your server with --database; `waymark serve` makes "
                    + "one, and so do `waymark token create`, `waymark user set` and `waymark user import` with --create."
            )
        }
        let store = try await store(creating: canCreate)
        if isNamed { StandardError.print("waymark: \(isNew ? "new " : "")database \(settings.database.name)") }
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
