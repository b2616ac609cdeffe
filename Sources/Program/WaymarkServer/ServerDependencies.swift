import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The dependencies that a server's endpoints, connections and services share.
struct ServerDependencies {
    let catalog: LiveCatalog
    let authentication: Authentication

    /// The logins of users to the console, or `nil` if no provider is set.
    let login: ConsoleLogin?

    let continuations: ContinuationSettings
    let signingKeys: LinkSigningKeys
    let load: ServerLoad
    let metrics: ServiceMetrics

    /// The counts of resolutions since the start.
    let counts: ResolutionCounts

    /// The counts of link uses, until they are written to the store.
    let linkCounts = LinkCounts()

    /// The log of resolutions, or `nil` if it is off.
    let resolutionLog: ResolutionLogFile?

    /// The audit log of changes, or `nil` if it is off.
    let auditLog: AuditLogWriter?

    let failures: FailureLog
    let refusals: LimitRefusals
    let maximumConnections: Int

    /// The observers of every use of a link.
    var linkObservers: [any LinkEventObserver] {
        let log = resolutionLog.map { [$0 as any LinkEventObserver] } ?? []
        return [metrics, counts, linkCounts] + log
    }
}

extension Server {
    /// Returns the services that refresh the keys of tokens, for end users and for the console's provider.
    func keyRefreshers(_ parts: ServerDependencies) -> [any Service] {
        [parts.authentication.endUsers?.refresher, parts.login?.refresher].compactMap { $0 as (any Service)? }
    }

    /// Returns the services that watch the link-signing keys, if they are in a file.
    func signingKeyWatches(_ parts: ServerDependencies) -> [any Service] {
        guard case .file(let file)? = settings.signingKeys else {
            if settings.signingKeys == nil, parts.catalog.current.hasSignedRoutes {
                logger.warning(
                    "Routes are signed, but no keys are set: their links are refused. Set \(Setting.signingKeys.rawValue) or \(Setting.signingSecrets.rawValue)."
                )
            }
            return []
        }
        return [SigningKeyWatch(file: file, keys: parts.signingKeys, logger: logger)]
    }
}

extension Server {
    /// Returns the logins of users to the console, or `nil` if no provider is set.
    ///
    /// Sessions are sealed with the keys of continuations, which all replicas share.
    ///
    /// - Throws: `CommandError` of code 64 without the client's secret.
    func consoleLogin(_ store: any OpenStore) async throws -> ConsoleLogin? {
        guard let login = settings.login else { return nil }
        guard !login.clientSecret.isEmpty else {
            throw CommandError.usage(
                "console.oidc.issuer is set and console.oidc.clientSecret is not, so nobody could log in to the "
                    + "console. Set it by \(settings.waysToSet(.consoleClientSecret))."
            )
        }
        logger.info("People log in to the console.", metadata: ["issuer": "\(login.issuer)"])
        return ConsoleLogin(login, secrets: try await continuationKeys(store), logger: logger)
    }
}

/// The logs of a server in files.
extension Server {
    /// Returns the file of the resolution log, or `nil` if it is off.
    func resolutionLog() throws(CommandError) -> ResolutionLogFile? {
        guard !settings.resolutionLogPath.isEmpty else { return nil }
        return try ResolutionLogFile(
            path: settings.resolutionLogPath,
            maximumByteCount: settings.maximumResolutionLogByteCount,
            ways: settings.waysToSet(.resolutionLogPath),
            logger: logger
        )
    }

    /// Opens the audit log, or returns `nil` if it is off.
    func auditLog() throws(CommandError) -> AuditLogWriter? {
        let place = settings.audit
        return try AuditLogWriter(place, settingsFile: settings.file) { [logger] message, isFault in
            let file = if case .file(let path) = place { path } else { "stderr" }
            logger.log(level: isFault ? .error : .info, "\(message)", metadata: ["file": "\(file)"])
        }
    }

    /// Returns the audit log for endpoints and services.
    func audit(_ parts: ServerDependencies) -> AuditTrail {
        parts.auditLog.map { AuditTrail($0, tokens: parts.authentication.serviceTokens) } ?? .none
    }
}

extension ServerMetrics {
    /// Starts measuring the parts of a server and the process.
    func measure(_ parts: ServerDependencies, store: any OpenStore) {
        measure(store, in: parts.catalog)
        measure(parts.load, maximumConnections: parts.maximumConnections)
        let (catalog, authentication) = (parts.catalog, parts.authentication)
        measure(ServiceHealth(store: store, catalog: catalog, authentication: authentication, load: parts.load))
        if let endUsers = parts.authentication.endUsers { measure(endUsers) }
        if let log = parts.auditLog { count(.auditLinesLost) { Double(log.lostCount) } }
        if let log = parts.resolutionLog { count(.resolutionLogLinesDropped) { Double(log.droppedCount) } }
    }
}
