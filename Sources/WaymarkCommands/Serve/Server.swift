import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkReporting
import DeepLinkStorage
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// The composition root: assembles and runs the parts of the service.
struct Server {
    let settings: Settings

    /// The socket that was passed in; `nil` if the server opens one.
    let socket: HandedSocket?

    let logger: Logger

    /// The time for requests in flight after SIGTERM, in seconds: some of it is left when the port is closed.
    private var shutdownDeadline: Int { max(10, settings.drainSeconds + 5) }

    /// The time for everything after SIGTERM, in seconds: requests, and closing the database.
    private var endDeadline: Int { shutdownDeadline + 2 }

    /// The host address of the listening socket.
    private var host: String { socket?.host ?? settings.host }

    /// The signed catalog served to apps.
    private let bundle = LiveBundle()

    /// Serves until a signal to stop.
    ///
    /// - Throws: ``CommandError`` if the service cannot start.
    func run() async throws {
        let metrics = ServerMetrics()
        let workspace = Workspace(settings: settings)
        let catalog = try workspace.catalog()
        // A supervisor that passes a socket may start the next server while the last one ends.
        let store = try await workspace.servingStore(logger, patience: socket == nil ? 0 : endDeadline + 5)
        let requestLog = makesRequestLog ? RequestLog(logger, leavesOutProbes: !settings.logsProbes) : nil
        var forcedEnd: ForcedEnd?
        do {
            let endUsers = settings.endUsers.map { EndUserVerifier($0, logger: logger) }
            try await readKeys(endUsers)
            let resolutionLog = try self.resolutionLog()
            let environment = try await environment(
                catalog,
                store: store,
                endUsers: endUsers,
                requestLog: requestLog,
                resolutionLog: resolutionLog,
                metrics: ServiceMetrics(countingIn: metrics.registry, text: { metrics.registry.text })
            )
            metrics.measure(store, in: environment.catalog)
            try report(environment, store: store)
            let end = ForcedEnd(after: endDeadline, logger: logger)
            forcedEnd = end
            let drain = Drain(
                load: environment.load,
                time: .seconds(settings.drainSeconds),
                isInterrupted: end.isInterrupted,
                logger: logger
            )
            try await serve(
                environment,
                maintenance: StoreMaintenanceService(store: store, logger: logger),
                resolutionLog: resolutionLog,
                drain: drain
            )
        } catch {
            try? store.close()
            throw ListeningFailure.explained(CommandError.translated(store.explain(error)), settings: settings)
        }
        requestLog?.finish()
        try store.close()
        logger.info("Stopped; the database is closed.")
        withExtendedLifetime(forcedEnd) {}
    }

    /// Reads the keys of end users from their file, if set; they must be valid when the server starts.
    private func readKeys(_ endUsers: EndUserVerifier?) async throws {
        do throws(KeySetError) {
            try await endUsers?.refresher.readFile()
        } catch {
            guard case .unavailable = error else { throw CommandError(.badData, message: "\(error)") }
            throw CommandError(.unavailable, message: "\(error) It is set by \(Setting.jwtKeys.waysToSet).")
        }
    }

    private func environment(
        _ catalog: RouteCatalog,
        store: any OpenStore,
        endUsers: EndUserVerifier?,
        requestLog: RequestLog?,
        resolutionLog: ResolutionLogFile?,
        metrics: ServiceMetrics
    ) async throws -> ServiceEnvironment {
        let authentication = Authentication(
            serviceTokens: try await ServiceTokens(store),
            endUsers: endUsers,
            letsAnonymousResolve: settings.letsAnonymousResolve
        )
        let isLoopback = LoopbackAddress.contains(host)
        guard isLoopback || !authentication.isOpen || settings.insecureNoAuth else {
            throw CommandError(
                .usage,
                message: "\(host) can be reached from other machines, and no credentials are configured. Make a token "
                    + "with `waymark token create --role admin --create --database \(settings.database.text)`, or listen on "
                    + "127.0.0.1, or accept that anyone who can connect may read and change user states by \(Setting.insecureNoAuth.waysToSet)."
            )
        }
        let keys = try await continuationKeys(store)
        guard let continuations = ContinuationSettings(keys: keys, lifetime: settings.continuationLifetime) else {
            throw CommandError(.badData, message: "a key of continuations has fewer than 32 bytes.")
        }
        return ServiceEnvironment(
            catalog: LiveCatalog(catalog),
            store: store,
            continuationStore: store,
            continuations: continuations,
            authentication: authentication,
            load: ServerLoad(
                maximumWork: settings.maximumRequests,
                maximumArrivingBytes: settings.maximumArrivingByteCount
            ),
            answersLocalHosts: isLoopback || settings.insecureNoAuth,
            isInsecure: settings.insecureNoAuth,
            callerLimits: callerLimits,
            crossOrigins: try crossOrigins(isOpen: authentication.isOpen),
            consoleHosts: settings.consoleHosts,
            version: Version.text,
            endpoints: settings.hasConsole ? .all : .withoutConsole,
            failures: FailureLog(logger),
            observer: requestLog,
            metrics: metrics,
            resolutions: ResolutionCounts(since: Clock.now(), log: resolutionLog),
            comparisons: ComparisonQueue(
                readsCatalog: { bytes, interruption throws(CatalogError) in
                    try CatalogLoader.load(
                        bytes,
                        file: "candidate",
                        refusesAliasKeys: true,
                        interruption: interruption
                    )
                },
                readsAssociations: AssociatedHost.reader
            ),
            bundle: bundle,
            signingKeys: try Workspace(settings: settings).signingKeys(),
            now: Clock.now
        )
    }

    /// Returns the keys of continuations: the configured keys, otherwise those shared by all replicas, otherwise those
    /// in files.
    private func continuationKeys(_ store: any OpenStore) async throws -> [[UInt8]] {
        guard settings.continuationKeys.isEmpty else { return settings.continuationKeys }
        let shared = try await store.continuationKeys()
        guard shared.isEmpty else { return shared }
        return try ContinuationKeyFile(beside: settings.database.path(or: "Set `continuation.key`.")).keys()
    }

    /// Returns the file of the resolution log; `nil` for none.
    private func resolutionLog() throws(CommandError) -> ResolutionLogFile? {
        guard !settings.resolutionLogPath.isEmpty else { return nil }
        return try ResolutionLogFile(
            path: settings.resolutionLogPath,
            maximumByteCount: settings.maximumResolutionLogByteCount,
            logger: logger
        )
    }

    /// The limits of callers: the configured limit, otherwise that of addresses alone; 0 means no limit.
    private var callerLimits: CallerLimits? {
        func rate(_ setting: Int) -> Int? { setting == 0 ? nil : setting }
        return CallerLimits(
            rate: settings.perCallerLimit.flatMap(rate),
            addressRate: rate(settings.perCallerLimit ?? CallerLimits.anonymousRate),
            pageRate: rate(settings.pageLimit)
        )
    }

    /// Returns the other origins whose pages may read answers; `nil` for none.
    private func crossOrigins(isOpen: Bool) throws(CommandError) -> CrossOriginRules? {
        let rules: CrossOriginRules?
        do throws(InvalidOriginError) {
            rules = try CrossOriginRules(settings.crossOrigins)
        } catch {
            throw CommandError(
                .usage,
                message:
                    "`\(error.text)` isn't an origin; write scheme and host in small letters, such as https://app.example.com, and "
                    + "set them by \(Setting.crossOrigins.waysToSet)."
            )
        }
        guard !isOpen || rules?.allowsAny != true else {
            throw CommandError(
                .usage,
                message:
                    "\(Setting.crossOrigins.rawValue) is `*`, without any credentials, so that every web page could read and "
                    + "change user states. List the origins by \(Setting.crossOrigins.waysToSet), or make a token with `waymark "
                    + "token create --role admin`."
            )
        }
        return rules
    }

    /// Logs a report for operators before the first request.
    private func report(_ environment: ServiceEnvironment, store: any OpenStore) throws {
        if let upgrade = store.upgrade {
            logger.notice(
                "The database was upgraded; versions of waymark before this one cannot open it any more.",
                metadata: [
                    "database": "\(settings.database.name)", "fromStep": .stringConvertible(upgrade.from),
                    "toStep": .stringConvertible(upgrade.to),
                    "seconds": .stringConvertible(LogLine.Decimal(value: upgrade.seconds)),
                ]
            )
        }
        let report = try store.report()
        logger.info("Opened the database", metadata: report.properties)
        for warning in report.warnings {
            logger.warning("\(warning)", metadata: ["database": "\(settings.database.name)"])
        }
        for host in settings.consoleHosts where !environment.catalog.current.hasWebHost(host) {
            logger.warning(
                "A host of \(Setting.consoleHosts.rawValue) is none of the catalog's https origins, so it changes nothing.",
                metadata: ["host": "\(host)"]
            )
        }
        if settings.letsAnonymousResolve {
            logger.info("Callers without credentials resolve links, as nobody.")
            if !environment.authentication.isConfigured {
                logger.warning(
                    "No credentials are configured, so nothing else is answered; create a token with `waymark token create`."
                )
            }
        }
        switch (!environment.authentication.isOpen, settings.insecureNoAuth) {
        case (true, _):
            if !settings.letsAnonymousResolve { logger.info("Callers need credentials.") }
            if settings.insecureNoAuth {
                logger.warning("There are credentials, so --insecure-no-auth does not let callers in without.")
            }
        case (false, false):
            logger.warning(
                """
                No credentials are configured; open to every process of this machine. Requests through a proxy are \
                refused, but a proxy that speaks HTTP/1.1 and sends none of Forwarded, X-Forwarded-*, X-Real-IP and Via \
                cannot be recognized: before you put a proxy in front, make a token with `waymark token create --role \
                admin`.
                """
            )
        case (false, true):
            logger.warning(
                """
                INSECURE: no credentials are configured, and anyone who can connect, or reaches a proxy in front, may read and \
                change everything. Make a token with `waymark token create --role admin`.
                """
            )
        }
    }

    /// Whether each request is logged: by default if other machines can connect.
    private var makesRequestLog: Bool {
        logger.logLevel <= .info && (settings.logRequests ?? !LoopbackAddress.contains(host))
    }

    private func serve(
        _ environment: ServiceEnvironment,
        maintenance: StoreMaintenanceService,
        resolutionLog: ResolutionLogFile?,
        drain: Drain
    ) async throws {
        let maximumConnections = DescriptorLimit.connections(atMost: settings.maximumConnections)
        if maximumConnections < settings.maximumConnections {
            logger.warning(
                "Fewer connections fit than the settings allow; raise the limit of open files (ulimit -n).",
                metadata: [
                    "connections": .stringConvertible(maximumConnections),
                    "wanted": .stringConvertible(settings.maximumConnections),
                ]
            )
        }
        let server = WaymarkServer(
            environment,
            host: host,
            port: settings.port,
            socket: socket?.descriptor,
            maximumConnections: maximumConnections,
            logger: logger
        ) { [logger, settings, host] port in
            let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
            logger.info(
                "Listening on http://\(isIPv6 ? "[\(host)]" : host):\(port)",
                metadata: [
                    "version": "\(Version.text)", "catalog": "\(settings.catalog)",
                    "catalogVersion": "\(environment.catalog.current.version)",
                ]
            )
        }
        let authentication = environment.authentication
        let bundles = settings.bundle.map { BundleWatch(path: $0, bundle: bundle, logger: logger) }
        try bundles?.read()
        let background: [any Service] =
            [bundles].compactMap(\.self) + signingKeyWatches(environment) + [
                maintenance, MemoryMaintenance(),
                CatalogReloader(path: settings.catalog, catalog: environment.catalog, logger: logger),
                ServiceTokenWatch(tokens: authentication.serviceTokens, logger: logger),
            ]
        var configuration = ServiceGroupConfiguration(
            services: background + (resolutionLog.map { [ResolutionLogService(log: $0)] } ?? [])
                + (authentication.endUsers.map { [$0.refresher] } ?? [])
                + [server, drain],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(shutdownDeadline)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Returns the services that follow the link-signing keys, if they are in a file.
    private func signingKeyWatches(_ environment: ServiceEnvironment) -> [any Service] {
        guard case .file(let file)? = settings.signingKeys else {
            if settings.signingKeys == nil, environment.catalog.current.hasSignedRoutes {
                logger.warning(
                    "Routes are signed, but no keys are set: their links are refused. Set \(Setting.signingKeys.rawValue) or \(Setting.signingSecrets.rawValue)."
                )
            }
            return []
        }
        return [SigningKeyWatch(file: file, keys: environment.signingKeys, logger: logger)]
    }
}

/// The loopback addresses, which other machines cannot reach.
private enum LoopbackAddress {
    /// Returns whether listening on a host lets only processes of this machine connect.
    static func contains(_ host: String) -> Bool {
        host.bytewise == "localhost" || host.bytewise == "::1"
            || (host.utf8.starts(with: "127.".utf8)
                && host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
    }
}

extension RouteCatalog {
    /// Returns whether web links of a host, with an optional port, belong to the catalog.
    fileprivate func hasWebHost(_ host: String) -> Bool {
        guard let link = try? DeepLink("https://\(host)/") else { return false }
        return includesAuthority(of: link)
    }
}

/// The maintenance of the store, beside the server and as long as it runs.
private struct StoreMaintenanceService: Service {
    let store: any OpenStore
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown { await store.maintain(logger) }
    }
}
