import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkReporting
import DeepLinkStoring
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// The composition root: the parts of the service, put together and run.
struct Server {
    let settings: Settings

    /// The socket that was handed over; `nil` where the server opens one.
    let socket: HandedSocket?

    let logger: Logger

    /// The time that requests in flight may take after SIGTERM, in seconds: some of it is left when the port is closed.
    private var shutdownDeadline: Int { max(10, settings.drainSeconds + 5) }

    /// The time that everything may take after SIGTERM, in seconds: requests, and closing the database.
    private var endDeadline: Int { shutdownDeadline + 2 }

    /// The address that is listened on.
    private var host: String { socket?.host ?? settings.host }

    /// What is served of the signed catalog for apps.
    private let bundle = LiveBundle()

    /// Serves until a signal asks to stop.
    ///
    /// - Throws: ``CommandError`` where the service cannot start.
    func run() async throws {
        let metrics = ServerMetrics()
        let workspace = Workspace(settings: settings)
        let catalog = try workspace.catalog()
        // Who hands a socket over may start the next server while the last one ends.
        let store = try await workspace.servingStore(logger, patience: socket == nil ? 0 : endDeadline + 5)
        let requestLog = makesRequestLog ? RequestLog(logger) : nil
        var forcedEnd: ForcedEnd?
        do {
            let endUsers = settings.endUsers.map { EndUserVerifier($0, logger: logger) }
            try await readKeys(endUsers)
            let resolutionLog = try self.resolutionLog()
            let environment = try await environment(
                catalog,
                store,
                endUsers,
                requestLog,
                resolutionLog,
                ServiceMetrics(metrics.registry)
            )
            metrics.measure(store, environment.catalog)
            try report(environment, store)
            let end = ForcedEnd(after: endDeadline, logger: logger)
            forcedEnd = end
            let drain = Drain(
                load: environment.load,
                time: .seconds(settings.drainSeconds),
                isInterrupted: end.isInterrupted,
                logger: logger
            )
            try await serve(environment, StoreMaintenanceService(store: store, logger: logger), resolutionLog, drain)
        } catch {
            try? store.close()
            throw startFailure(CommandError.translated(store.explain(error)))
        }
        requestLog?.finish()
        try store.close()
        logger.info("Stopped; the database is closed.")
        withExtendedLifetime(forcedEnd) {}
    }

    /// Reads the keys of end users where they are in a file, which must be in order when the server starts.
    private func readKeys(_ endUsers: EndUserVerifier?) async throws {
        do throws(KeySetError) {
            try await endUsers?.refresher.readFile()
        } catch {
            let code: CommandError.Code = if case .invalid = error { .badData } else { .unavailable }
            throw CommandError(code, "\(error)")
        }
    }

    private func environment(
        _ catalog: RouteCatalog,
        _ store: any OpenStore,
        _ endUsers: EndUserVerifier?,
        _ requestLog: RequestLog?,
        _ resolutionLog: ResolutionLogFile?,
        _ metrics: ServiceMetrics
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
                "\(host) can be reached from other machines, and no credentials are configured. Make a token "
                    + "with `waymark token create --role admin --database \(settings.database.text)`, or listen on "
                    + "127.0.0.1, or accept that anyone who can connect may read and change user states by \(Setting.insecureNoAuth.waysToSet)."
            )
        }
        let key = try await continuationKey(store)
        guard let continuations = ContinuationSettings(key: key, lifetime: settings.continuationLifetime) else {
            throw CommandError(.badData, "the continuation key has fewer than 32 bytes.")
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
            comparisons: ComparisonDesk(
                readsCatalog: { bytes throws(CatalogError) in
                    try CatalogLoader.load(bytes, file: "candidate", refusesAliasKeys: true)
                },
                readsAssociations: AssociatedHost.reader
            ),
            bundle: bundle,
            signingKeys: try Workspace(settings: settings).signingKeys(),
            now: Clock.now
        )
    }

    /// The key that signs continuations: the one that is set, else the one that all replicas share, else the file's.
    private func continuationKey(_ store: any OpenStore) async throws -> [UInt8] {
        if let key = settings.continuationKey { return key }
        if let key = try await store.continuationKey() { return key }
        return try ContinuationKeyFile(beside: settings.database.path(or: "Set `continuation.key`.")).key()
    }

    /// The file that gets a line for each resolution; `nil` for none.
    private func resolutionLog() throws(CommandError) -> ResolutionLogFile? {
        guard !settings.resolutionLogPath.isEmpty else { return nil }
        return try ResolutionLogFile(
            path: settings.resolutionLogPath,
            maximumByteCount: settings.maximumResolutionLogByteCount,
            logger: logger
        )
    }

    /// The limits of callers: those that are set, else those of callers without credentials alone, where there are any.
    private var callerLimits: CallerLimits? {
        switch settings.perCallerLimit {
        case 0: nil
        case let rate?: CallerLimits(rate: rate, addressRate: rate)
        case nil:
            settings.letsAnonymousResolve ? CallerLimits(rate: nil, addressRate: CallerLimits.anonymousRate) : nil
        }
    }

    /// The pages of other origins that may read answers; `nil` for none.
    private func crossOrigins(isOpen: Bool) throws(CommandError) -> CrossOriginRules? {
        let rules: CrossOriginRules?
        do throws(InvalidOriginError) {
            rules = try CrossOriginRules(settings.crossOrigins)
        } catch {
            throw CommandError(
                .usage,
                "`\(error.text)` is no origin; write scheme and host in small letters, such as https://app.example.com, and "
                    + "set them by \(Setting.crossOrigins.waysToSet)."
            )
        }
        guard !isOpen || rules?.allowsAny != true else {
            throw CommandError(
                .usage,
                "\(Setting.crossOrigins.rawValue) is `*`, and there are no credentials, so that every web page could read and "
                    + "change user states. List the origins by \(Setting.crossOrigins.waysToSet), or make a token with `waymark "
                    + "token create --role admin`."
            )
        }
        return rules
    }

    /// Logs what an operator should know before the first request.
    private func report(_ environment: ServiceEnvironment, _ store: any OpenStore) throws {
        let report = try store.report()
        logger.info("Opened the database", metadata: report.properties)
        for warning in report.warnings {
            logger.warning("\(warning)", metadata: ["database": "\(settings.database.name)"])
        }
        if settings.letsAnonymousResolve {
            logger.info("Callers without credentials resolve links, as nobody.")
            if !environment.authentication.isConfigured {
                logger.warning(
                    "No credentials are configured, so nothing else is answered; make a token with `waymark token create`."
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
                No credentials are configured; open to every process of this machine. What comes through a proxy is \
                refused, but one that speaks HTTP/1.1 and sends none of Forwarded, X-Forwarded-*, X-Real-IP and Via cannot \
                be told apart: before you put a proxy in front, make a token with `waymark token create --role admin`.
                """
            )
        case (false, true):
            logger.warning(
                """
                INSECURE: no credentials are configured, and whoever can connect, or reaches a proxy in front, may read and \
                change everything. Make a token with `waymark token create --role admin`.
                """
            )
        }
    }

    /// Whether each request is logged: where it is not said, where others than this machine can connect.
    private var makesRequestLog: Bool {
        logger.logLevel <= .info && (settings.logRequests ?? !LoopbackAddress.contains(host))
    }

    private func serve(
        _ environment: ServiceEnvironment,
        _ maintenance: StoreMaintenanceService,
        _ resolutionLog: ResolutionLogFile?,
        _ drain: Drain
    ) async throws {
        let maximumConnections = DescriptorLimit.connections(atMost: settings.maximumConnections)
        if maximumConnections < settings.maximumConnections {
            logger.warning(
                "Fewer connections fit than the settings allow; raise the limit of open files (ulimit -n).",
                metadata: ["connections": "\(maximumConnections)", "wanted": "\(settings.maximumConnections)"]
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

    /// What follows the keys that sign links, where there is a file of them.
    private func signingKeyWatches(_ environment: ServiceEnvironment) -> [any Service] {
        guard let path = settings.signingKeys else {
            if environment.catalog.current.hasSignedRoutes {
                logger.warning(
                    "Routes are signed, and there are no keys: their links are refused. Set \(Setting.signingKeys.rawValue)."
                )
            }
            return []
        }
        return [SigningKeyWatch(path: path, keys: environment.signingKeys, logger: logger)]
    }

    private func startFailure(_ error: any Error) -> any Error {
        if error is CommandError { return error }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return CommandError(
                .unavailable,
                "port \(settings.port) on \(settings.host) is taken by another server. Stop it, or choose another "
                    + "port by \(Setting.port.waysToSet)."
            )
        case EACCES:
            return CommandError(
                .unavailable,
                "port \(settings.port) needs more rights than this process has. Choose one above 1023 by "
                    + "\(Setting.port.waysToSet)."
            )
        default:
            return CommandError(
                .unavailable,
                "cannot listen on \(settings.host):\(settings.port): \(error). Choose another address by "
                    + "\(Setting.host.waysToSet)."
            )
        }
    }
}

/// The addresses of this machine alone, which others cannot reach.
private enum LoopbackAddress {
    /// Returns whether listening on a host lets only processes of this machine connect.
    static func contains(_ host: String) -> Bool {
        host.bytewise == "localhost" || host.bytewise == "::1"
            || (host.utf8.starts(with: "127.".utf8)
                && host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
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
