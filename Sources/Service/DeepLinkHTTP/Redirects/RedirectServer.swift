package import DeepLinkCore
package import Logging
import NIOCore
import ServiceLifecycle

/// The server of a second port that redirects plain-text requests to https.
///
/// Its connections count in the server's load, and have the same limits of size and time.
package struct RedirectServer: Service {
    /// The error of a port that cannot be bound.
    package struct BindingError: Error {
        /// The number of the port.
        package let port: Int

        /// The underlying error of the system.
        package let cause: any Error
    }

    private let load: ServerLoad
    private let host: String
    private let port: Int
    private let securePort: Int
    /// The maximum number of open connections.
    package let maximumConnections: Int

    private let limits: ConnectionLimits
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let onListening: @Sendable (_ port: Int) async -> Void

    /// Creates a redirecting server.
    ///
    /// - Parameters:
    ///   - securePort: the port with TLS.
    ///   - load: the server's load, in which connections count.
    ///   - host: the name or address to listen on.
    ///   - port: the port to listen on, or 0 for any free one.
    ///   - maximumConnections: the maximum number of open connections. Further ones wait to be accepted.
    ///   - limits: the time limits of a connection.
    ///   - now: the clock.
    ///   - logger: the log of connections.
    ///   - onListening: a function called with the port once connections are accepted.
    package init(
        to securePort: Int,
        load: ServerLoad,
        host: String,
        port: Int,
        maximumConnections: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        now: @escaping @Sendable () -> Timestamp,
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.load = load
        self.host = host
        self.port = port
        self.securePort = securePort
        self.maximumConnections = maximumConnections
        self.limits = limits
        self.now = now
        self.logger = logger
        self.onListening = onListening
    }

    /// Redirects until the process is asked to stop and every connection has closed.
    ///
    /// - Throws: ``BindingError`` if the port cannot be bound.
    package func run() async throws {
        let listening = try await open()
        await onListening(listening.number ?? port)
        try await listening.serve()
    }

    private func open() async throws(BindingError) -> ListeningPort {
        let address = SecureAddress(port: securePort, redirectPort: port)
        let connections = CountedConnections(
            load: load,
            maximumCount: maximumConnections,
            hasReserve: false,
            logger: logger
        )
        do {
            return try await ListeningPort(host: host, port: port, limit: connections) { [load, limits, now] channel in
                try RedirectHandler.add(
                    to: channel.pipeline.syncOperations,
                    address: address,
                    load: load,
                    limits: limits,
                    now: now
                )
            }
        } catch {
            throw BindingError(port: port, cause: error)
        }
    }
}
