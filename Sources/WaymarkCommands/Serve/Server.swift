import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Puts the parts of the service together and runs them.
struct Server {
    /// How long requests in flight may take after SIGTERM.
    private static let shutdownDeadline = Duration.seconds(10)

    let settings: Settings
    let logger: Logger

    /// Serves until a signal asks to stop.
    ///
    /// - Throws: ``CommandFailure`` where the service cannot start.
    func run() async throws {
        let isLoopback = LoopbackAddress.contains(settings.host)
        guard isLoopback || settings.insecureNoAuth else {
            throw CommandFailure(
                .usage,
                "\(settings.host) can be reached from other machines, and callers are not told apart. "
                    + "Listen on 127.0.0.1, or accept that anyone who can connect may read and change user states by "
                    + "\(SettingKey.insecureNoAuth.waysToSet)."
            )
        }
        let workspace = Workspace(settings: settings)
        let catalog = try workspace.catalog()
        let store = try workspace.servingStore(logger)
        let synchronous = try store.synchronousMode() ?? 0
        logger.info(
            "Opened the database",
            metadata: [
                "file": "\(settings.database)", "synchronous": "\(synchronous)", "logBytes": "\(store.logByteCount)",
            ]
        )
        logger.info(
            isLoopback
                ? "No credentials are configured; open to every process of this machine."
                : "INSECURE: no credentials are configured, and other machines can connect."
        )
        let key = try settings.continuationKey ?? ContinuationKeyFile(beside: settings.database).key()
        guard let continuations = ContinuationSettings(key: key, lifetime: settings.continuationLifetime) else {
            throw CommandFailure(.badData, "the continuation key has fewer than 32 bytes.")
        }
        let environment = ServiceEnvironment(
            catalog: catalog,
            store: store,
            continuationStore: store,
            continuations: continuations,
            callersAreUnknown: true,
            now: Clock.now
        )
        do {
            try await serve(environment, StoreUpkeep(store, logger: logger))
        } catch {
            try? store.close()
            throw startFailure(error)
        }
        try store.close()
        logger.info("Stopped; the database is closed.")
    }

    private func serve(_ environment: ServiceEnvironment, _ upkeep: StoreUpkeep) async throws {
        let application = WaymarkApplication.build(
            environment,
            host: settings.host,
            port: settings.port,
            logger: logger
        ) { [logger, settings] port in
            logger.info(
                "Listening on http://\(settings.host.contains(":") ? "[\(settings.host)]" : settings.host):\(port)",
                metadata: ["catalog": "\(settings.catalog)", "catalogVersion": "\(environment.catalog.version)"]
            )
        }
        var configuration = ServiceGroupConfiguration(
            services: [StoreUpkeepService(upkeep: upkeep), application],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = Self.shutdownDeadline
        try await ServiceGroup(configuration: configuration).run()
    }

    private func startFailure(_ error: any Error) -> any Error {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return CommandFailure(
                .unavailable,
                "port \(settings.port) on \(settings.host) is taken by another server. Stop it, or choose another "
                    + "port by \(SettingKey.port.waysToSet)."
            )
        case EACCES:
            return CommandFailure(
                .unavailable,
                "port \(settings.port) needs more rights than this process has. Choose one above 1023 by "
                    + "\(SettingKey.port.waysToSet)."
            )
        default:
            return CommandFailure(
                .unavailable,
                "cannot listen on \(settings.host):\(settings.port): \(error). Choose another address by "
                    + "\(SettingKey.host.waysToSet)."
            )
        }
    }
}
