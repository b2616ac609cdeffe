import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkReporting
import DeepLinkStorage
import Foundation
import HTTPServer
import Logging
import ServiceLifecycle
import UnixSignals
import WaymarkCommands

/// The composition root: assembles and runs the parts of the service.
struct Server {
    let settings: Settings

    /// The inherited socket, or `nil` if the server opens one.
    let socket: InheritedSocket?

    let logger: Logger

    /// The time for requests in progress after SIGTERM, in seconds.
    ///
    /// Some of it remains when the port is closed.
    private var shutdownDeadline: Int { max(10, settings.drainSeconds + 5) }

    /// The time for the whole shutdown after SIGTERM, in seconds: requests, and closing the database.
    private var endDeadline: Int { shutdownDeadline + 2 }

    /// The host address of the listening socket.
    var host: String { socket?.host ?? settings.host }

    /// The signed catalog for apps.
    private let bundle = LiveBundle()

    /// Serves until a signal to stop.
    ///
    /// - Throws: `CommandError` if the service cannot start.
    func run() async throws {
        let metrics = ServerMetrics()
        let workspace = Workspace(settings: settings)
        let start = try StartCatalog(settings, kept: StoredCatalog(settings))
        // A supervisor that passes a socket may start the next server while the last one ends.
        let store = try await workspace.servingStore(logger, patience: socket == nil ? 0 : endDeadline + 5)
        let requestLog = makesRequestLog ? RequestLog(logger, leavesOutProbes: !settings.logsProbes) : nil
        var forcedEnd: ShutdownWatchdog?
        do {
            let endUsers = settings.endUsers.map { EndUserVerifier($0, logger: logger) }
            try await readKeys(endUsers)
            let (resolutionLog, auditLog) = (try self.resolutionLog(), try self.auditLog())
            let refusals = LimitRefusals(countingIn: metrics.registry)
            let login = try await consoleLogin(store)
            let parts = try ServerDependencies(
                catalog: LiveCatalog(start.catalog),
                authentication: try await authentication(store, endUsers: endUsers, consoleSessions: login?.sessions),
                login: login,
                continuations: try await continuations(store),
                signingKeys: workspace.signingKeys(),
                load: ServerLoad(
                    maximumWork: settings.maximumRequests,
                    maximumArrivingBytes: settings.maximumArrivingByteCount,
                    refusals: refusals
                ),
                metrics: ServiceMetrics(countingIn: metrics.registry, text: { metrics.registry.text }),
                counts: ResolutionCounts(since: SystemClock.now(), droppedLineCount: { resolutionLog?.droppedCount }),
                resolutionLog: resolutionLog,
                auditLog: auditLog,
                failures: FailureLog(logger),
                refusals: refusals,
                maximumConnections: DescriptorLimit.connections(atMost: settings.maximumConnections, logger: logger)
            )
            metrics.measure(parts, store: store)
            report(start, in: parts)
            try report(parts, store: store)
            parts.catalog.read(try await store.levelRenames())
            await UnknownLevels(store: store, logger: logger).note(AccessNames(of: parts.catalog.current))
            let end = ShutdownWatchdog(after: endDeadline, logger: logger)
            forcedEnd = end
            let drain = Drain(
                load: parts.load,
                time: .seconds(settings.drainSeconds),
                isInterrupted: end.isInterrupted,
                logger: logger
            )
            try await serve(
                parts,
                start: start,
                store: store,
                services: try services(parts, store: store, observer: requestLog),
                beside: [
                    StoreMaintenanceService(store: store, logger: logger),
                    LevelRenameWatch(store: store, catalog: parts.catalog, logger: logger),
                    LinkCountService(counts: parts.linkCounts, store: store, logger: logger),
                ]
                    + [LogFileService(logs: [resolutionLog, auditLog as (any ThreadedLog)?].compactMap(\.self))],
                until: drain
            )
        } catch {
            try? store.close()
            throw ListeningFailure.explained(CommandError.translated(store.explain(error)), settings: settings)
        }
        requestLog?.finish()
        try store.close()
        logger.info("Stopped, and the database is closed.")
        withExtendedLifetime(forcedEnd) {}
    }

    /// Reads the keys of end users from their file, if set.
    ///
    /// They must be valid when the server starts.
    private func readKeys(_ endUsers: EndUserVerifier?) async throws {
        do throws(KeySetError) {
            try await endUsers?.refresher.readFile()
        } catch {
            guard case .unavailable = error else { throw CommandError.badData("\(error)") }
            throw CommandError.unavailable("\(error) It is set by \(settings.waysToSet(.jwtKeys)).")
        }
    }

    /// Returns the authentication of callers.
    ///
    /// Without it, a server may accept connections of this machine only.
    private func authentication(
        _ store: any OpenStore,
        endUsers: EndUserVerifier?,
        consoleSessions: ConsoleSessions?
    ) async throws -> Authentication {
        let authentication = Authentication(
            serviceTokens: try await ServiceTokens(store),
            endUsers: endUsers,
            consoleSessions: consoleSessions,
            letsAnonymousResolve: settings.letsAnonymousResolve
        )
        guard LoopbackAddress.contains(host) || !authentication.isOpen || settings.insecureNoAuth else {
            throw CommandError.usage(
                "\(host) can be reached from other machines, and no credentials are configured. Make a token "
                    + "with `waymark token create --role admin --create --database \(settings.database.text)`, or listen on "
                    + "127.0.0.1, or accept that anyone who can connect may read and change user states by \(settings.waysToSet(.insecureNoAuth))."
            )
        }
        return authentication
    }

    private func continuations(_ store: any OpenStore) async throws -> ContinuationSettings {
        let keys = try await continuationKeys(store)
        guard let continuations = ContinuationSettings(keys: keys, lifetime: settings.continuationLifetime) else {
            throw CommandError.badData("a key of continuations has fewer than 32 bytes.")
        }
        return continuations
    }

    /// Assembles the endpoints with their dependencies, and the connections that serve them.
    private func services(
        _ parts: ServerDependencies,
        store: any OpenStore,
        observer: RequestLog?
    ) throws -> ConnectionServices {
        let hosts = HostSettings(
            authentication: parts.authentication,
            answersLocalHosts: LoopbackAddress.contains(host) || settings.insecureNoAuth,
            isInsecure: settings.insecureNoAuth
        )
        let endpoints = EndpointTable(
            resolver: LinkResolver(
                usersIn: store,
                continuations: parts.continuations,
                signingKeys: parts.signingKeys,
                observers: parts.linkObservers,
                shortLinks: ShortLinkService(
                    store: store,
                    maximumPerUser: settings.shortLinksPerUser,
                    failures: parts.failures,
                    now: SystemClock.now
                ),
                now: SystemClock.now
            ),
            metrics: parts.metrics,
            report: parts.counts,
            users: UserService(store: store, failures: parts.failures, audit: audit(parts), now: SystemClock.now),
            counts: store,
            redemptions: store,
            streams: LineStreamRules(load: parts.load, authentication: parts.authentication, now: SystemClock.now),
            catalog: parts.catalog,
            bundle: bundle,
            comparisons: ComparisonQueue(
                readsCatalog: { bytes, interruption throws(CatalogError) in
                    try CatalogLoader.load(bytes, file: "candidate", refusesAliasKeys: true, interruption: interruption)
                },
                readsAssociations: AssociatedHost.reader
            ),
            hosts: hosts,
            consoleHosts: settings.hasConsole ? settings.consoleHosts : nil,
            login: parts.login,
            version: Version.text
        )
        return ConnectionServices(
            admission: AdmissionPolicy(
                catalog: parts.catalog,
                hosts: hosts,
                callerLimits: callerLimits(countingRefusalsIn: parts.refusals),
                crossOrigins: try crossOrigins(isOpen: parts.authentication.isOpen),
                now: SystemClock.now
            ),
            endpoints: endpoints,
            load: parts.load,
            failures: parts.failures,
            observer: observer,
            metrics: parts.metrics,
            isAudited: parts.auditLog != nil,
            logger: logger
        )
    }

    /// Returns the keys of continuations: the configured keys, or else the keys shared by all replicas, or else the
    /// keys in files.
    func continuationKeys(_ store: any OpenStore) async throws -> [[UInt8]] {
        guard settings.continuationKeys.isEmpty else { return settings.continuationKeys }
        let shared = try await store.continuationKeys()
        guard shared.isEmpty else { return shared }
        return try ContinuationKeyFile(beside: settings.database.path(or: "Set `continuation.key`.")).keys()
    }

    /// Returns the limits of callers: the configured rate (0 for none), or else a limit for addresses only.
    private func callerLimits(countingRefusalsIn refusals: LimitRefusals) -> CallerLimits? {
        func rate(_ setting: Int) -> Int? { setting == 0 ? nil : setting }
        return CallerLimits(
            rate: settings.perCallerLimit.flatMap(rate),
            addressRate: rate(settings.perCallerLimit ?? CallerLimits.anonymousRate),
            pageRate: rate(settings.pageLimit),
            refusals: refusals
        )
    }

    /// Returns the other origins whose pages may read responses, or `nil` if there are none.
    private func crossOrigins(isOpen: Bool) throws(CommandError) -> CrossOriginRules? {
        let rules: CrossOriginRules?
        do throws(InvalidOriginError) {
            rules = try CrossOriginRules(settings.crossOrigins)
        } catch {
            throw CommandError.usage(
                "`\(error.text)` isn't an origin. Write scheme and host in lower case, such as https://app.example.com, and "
                    + "set them by \(settings.waysToSet(.crossOrigins))."
            )
        }
        guard !isOpen || rules?.allowsAny != true else {
            throw CommandError.usage(
                "\(Setting.crossOrigins.rawValue) is `*`, without any credentials, so that every web page could read and "
                    + "change user states. List the origins by \(settings.waysToSet(.crossOrigins)), or make a token with `waymark "
                    + "token create --role admin`."
            )
        }
        return rules
    }

    /// Logs a report for operators before the first request.
    private func report(_ parts: ServerDependencies, store: any OpenStore) throws {
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
        for host in settings.consoleHosts where !parts.catalog.current.hasWebHost(host) {
            logger.warning(
                "A host of \(Setting.consoleHosts.rawValue) isn't one of the catalog's https origins, so it has no effect.",
                metadata: ["host": "\(host)"]
            )
        }
        if settings.letsAnonymousResolve {
            logger.info("Callers without credentials resolve links, as nobody.")
            if !parts.authentication.isConfigured {
                logger.warning(
                    "No credentials are configured, so other requests are refused. Create a token with `waymark token create`."
                )
            }
        }
        switch (!parts.authentication.isOpen, settings.insecureNoAuth) {
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

    /// Whether requests are logged, by default if other machines can connect.
    private var makesRequestLog: Bool {
        logger.logLevel <= .info && (settings.logRequests ?? !LoopbackAddress.contains(host))
    }

    private func serve(
        _ parts: ServerDependencies,
        start: StartCatalog,
        store: any OpenStore,
        services: ConnectionServices,
        beside background: [any Service],
        until drain: Drain
    ) async throws {
        let certificates = try certificateWatch()
        let redirects = redirectServer(parts)
        let server = ApplicationServer(
            services,
            host: host,
            port: settings.port,
            socket: socket?.descriptor,
            certificate: certificates?.certificate,
            maximumConnections: parts.maximumConnections - (redirects?.maximumConnections ?? 0),
            logger: logger
        ) { [self] port in
            // A server that fails earlier has resolved no link with the catalog.
            await note(start, in: parts)
            let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
            logger.info(
                "Listening on \(settings.tls == nil ? "http" : "https")://\(isIPv6 ? "[\(host)]" : host):\(port)",
                metadata: [
                    "version": "\(Version.text)", "catalog": "\(settings.catalog)",
                    "catalogVersion": "\(parts.catalog.current.version)",
                ]
            )
        }
        let bundles = settings.bundle.map { BundleWatch(path: $0, bundle: bundle, logger: logger) }
        try bundles?.read()
        let watches: [any Service] =
            [bundles].compactMap(\.self) + [certificates].compactMap(\.self) + signingKeyWatches(parts) + [
                HeapTrimmer(),
                CatalogReloader(
                    settings,
                    start: start,
                    catalog: parts.catalog,
                    store: store,
                    audit: audit(parts),
                    logger: logger
                ),
                ShortLinkCheckService(catalog: parts.catalog, store: store, logger: logger),
                ServiceTokenWatch(tokens: parts.authentication.serviceTokens, logger: logger),
            ]
        // At `debug`, the library logs whole Swift values.
        var groupLogger = logger
        groupLogger.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: background + watches + keyRefreshers(parts) + [redirects].compactMap(\.self) + [server, drain],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: groupLogger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(shutdownDeadline)
        try await ServiceGroup(configuration: configuration).run()
    }
}

extension RouteCatalog {
    /// Returns whether web links of a host, with an optional port, belong to the catalog.
    fileprivate func hasWebHost(_ host: String) -> Bool {
        guard let link = try? DeepLink("https://\(host)/") else { return false }
        return includesAuthority(of: link)
    }
}

/// The maintenance of the store while the server runs.
private struct StoreMaintenanceService: Service {
    let store: any OpenStore
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown { await store.maintain(logger) }
    }
}
