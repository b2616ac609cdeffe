package import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkPostgres
import DeepLinkSQLite
package import DeepLinkStorage
import Foundation
package import Logging

/// The catalog and the store named by the settings.
package struct Workspace {
    let settings: Settings

    /// Creates the workspace of some settings.
    package init(settings: Settings) { self.settings = settings }

    /// Loads the catalog.
    func catalog() throws -> RouteCatalog {
        try CommandError.translate { try CatalogLoader.load(contentsOf: settings.catalog) }
    }

    /// Returns the names of levels and grants for reading and showing users, from a named catalog or else from the
    /// database.
    ///
    /// - Parameters:
    ///   - isCatalogNamed: Whether the command names a catalog.
    ///   - store: The open database.
    /// - Returns: The names of levels and grants.
    /// - Throws: ``CommandError`` if the catalog cannot be loaded.
    func names(ofCatalog isCatalogNamed: Bool, in store: any OpenStore) async throws -> AccessNames {
        if isCatalogNamed { return AccessNames(of: try catalog()) }
        return AccessNames(
            levels: try await store.keptLevels() ?? .standard,
            grants: GrantNames(try await store.keptGrants())
        )
    }

    /// Returns the names of levels and grants before the command opens the database.
    func names(ofCatalog isCatalogNamed: Bool, creating canCreate: Bool) async throws -> AccessNames {
        if isCatalogNamed { return AccessNames(of: try catalog()) }
        if case .file(let path) = settings.database, try !DatabaseLocation.exists(fileAt: path) {
            return AccessNames(levels: .standard)
        }
        return try await withStore(creating: canCreate) { try await names(ofCatalog: false, in: $0) }
    }

    /// Reads the link-signing keys, which are empty if none are set.
    ///
    /// - Throws: ``CommandError`` if the file holds none.
    package func signingKeys() throws -> LinkSigningKeys {
        switch settings.signingKeys {
        case .file(let file)?: LinkSigningKeys(try file.keys())
        case .settings(let keys)?: LinkSigningKeys(keys)
        case nil: LinkSigningKeys()
        }
    }

    /// Reads the link-signing keys only if the catalog has signed routes, since few users may read the file.
    ///
    /// - Throws: ``CommandError`` if the file lacks keys.
    func signingKeys(for catalog: RouteCatalog) throws -> LinkSigningKeys {
        catalog.hasSignedRoutes ? try signingKeys() : LinkSigningKeys()
    }

    /// Opens the audit log for a command that changes the database.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be opened.
    func audit() throws(CommandError) -> CommandAudit { try CommandAudit(settings) }

    /// Opens the audit log for a command that revokes access.
    ///
    /// If the file cannot be opened, the command warns and continues.
    func auditUnlessUnavailable() -> CommandAudit {
        do throws(CommandError) {
            return try audit()
        } catch {
            StandardError.print(
                "waymark: warning: the change has no line: the audit log of \(Setting.auditPath.rawValue) cannot be written"
            )
            return .none
        }
    }

    /// Opens the user states.
    ///
    /// A missing file is created if allowed.
    private func store(creating canCreate: Bool) async throws -> any OpenStore {
        do {
            switch settings.database {
            case .file(let path):
                return try SQLiteStore(
                    path: path,
                    historyLimits: settings.historyLimits,
                    copyingBeforeUpgrade: settings.backsUpBeforeUpgrade
                )
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

    /// Opens the user states for a server, which needs a file to itself but can share a database.
    ///
    /// - Parameters:
    ///   - logger: The logger for the store's report to operators.
    ///   - patience: The time that another server on the file has to end, in seconds.
    /// - Returns: The store, which is locked for this server.
    /// - Throws: ``CommandError`` if it is unavailable.
    package func servingStore(_ logger: Logger, patience: Int) async throws -> any OpenStore {
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
                logger: logger,
                copyingBeforeUpgrade: settings.backsUpBeforeUpgrade
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
                historyLimits: settings.historyLimits,
                logger: logger
            )
        }
    }

    /// Opens the user states of an existing database, runs a body, and closes them.
    ///
    /// - Parameters:
    ///   - isNamed: Whether standard error names the database.
    ///   - canCreate: Whether a missing database is created.
    ///   - body: The work with the store.
    /// - Returns: The result of the body.
    /// - Throws: ``CommandError``, or the errors of the body.
    func withStore<Result>(
        named isNamed: Bool = false,
        creating canCreate: Bool = false,
        _ body: (any OpenStore) async throws -> Result
    ) async throws -> Result {
        var isNew = false
        if case .file(let path) = settings.database { isNew = try !DatabaseLocation.exists(fileAt: path) }
        guard !isNew || canCreate else {
            throw CommandError.unavailable(
                "the database \(settings.database.name) does not exist. Name the one of your server with --database; `waymark serve` makes "
                    + "one, and so do `waymark token create`, `waymark user set` and `waymark user import` with --create."
            )
        }
        let store = try await store(creating: canCreate)
        if let upgrade = store.upgrade {
            StandardError.print(
                "waymark: database \(settings.database.name) was upgraded from schema step \(upgrade.from) to \(upgrade.to) in "
                    + "\(upgrade.seconds) s; versions before this one cannot open it any more"
                    + (upgrade.copy.map { ", but its copy \($0)" } ?? "")
            )
        }
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

extension SharedOptions {
    /// Returns the workspace of the settings, with further flags unless they are `nil`.
    func workspace(overriding further: [Setting: String?] = [:]) throws -> Workspace {
        Workspace(settings: try settings(overriding: further.compactMapValues(\.self)))
    }

    /// Runs a body that reads users, with the database and its names of levels and grants.
    func readingUsers<Result>(_ body: (any OpenStore, AccessNames) async throws -> Result) async throws -> Result {
        let workspace = try workspace()
        return try await workspace.withStore(named: true) { store in
            try await body(store, try await workspace.names(ofCatalog: catalog != nil, in: store))
        }
    }

    /// Runs a body that changes a user that may be new, with the database, its names, and the audit log.
    func changingUsers(
        creating canCreate: Bool,
        _ body: (any OpenStore, AccessNames, CommandAudit) async throws -> Void
    ) async throws {
        let workspace = try workspace()
        let audit = try workspace.audit()
        try await workspace.withStore(named: true, creating: canCreate) { store in
            try await body(store, try await workspace.names(ofCatalog: catalog != nil, in: store), audit)
        }
    }
}
