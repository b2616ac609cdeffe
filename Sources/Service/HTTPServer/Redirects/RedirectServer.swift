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

    private let rules: RedirectRules
    private let load: ServerLoad
    private let host: String
    private let port: Int

    /// The maximum number of open connections.
    package let maximumConnections: Int

    private let limits: ConnectionLimits
    private let logger: Logger
    private let onListening: @Sendable (_ port: Int) async -> Void

    /// Creates a redirecting server.
    ///
    /// - Parameters:
    ///   - rules: the addresses, and the responses to requests that name none.
    ///   - load: the server's load, in which connections count.
    ///   - host: the name or address to listen on.
    ///   - port: the port to listen on, or 0 for any free one.
    ///   - maximumConnections: the maximum number of open connections. Further ones wait to be accepted.
    ///   - limits: the time limits of a connection.
    ///   - logger: the log of connections.
    ///   - onListening: a function called with the port once connections are accepted.
    package init(
        _ rules: RedirectRules,
        load: ServerLoad,
        host: String,
        port: Int,
        maximumConnections: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.rules = rules
        self.load = load
        self.host = host
        self.port = port
        self.maximumConnections = maximumConnections
        self.limits = limits
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
        let connections = CountedConnections(
            load: load,
            maximumCount: maximumConnections,
            hasReserve: false,
            logger: logger
        )
        do {
            return try await ListeningPort(host: host, port: port, limit: connections) {
                [rules, load, limits] channel in
                try RedirectHandler.add(
                    to: channel.pipeline.syncOperations,
                    rules: rules,
                    load: load,
                    limits: limits
                )
            }
        } catch {
            throw BindingError(port: port, cause: error)
        }
    }
}

/// The rules of a redirecting server.
package struct RedirectRules: Sendable {
    /// Returns the address for a host with an optional port, and a target that begins with a slash, or `nil` if they
    /// are invalid.
    let location: @Sendable (_ authority: String, _ target: String) -> String?

    /// Returns the response to a request that is refused, by its id.
    let refusal: @Sendable (_ fault: RequestFault, _ id: String) -> ServerResponse

    /// Returns the time in seconds since 1970.
    let secondsSinceEpoch: @Sendable () -> Int64

    /// Creates rules from their functions.
    package init(
        location: @escaping @Sendable (_ authority: String, _ target: String) -> String?,
        refusal: @escaping @Sendable (_ fault: RequestFault, _ id: String) -> ServerResponse,
        secondsSinceEpoch: @escaping @Sendable () -> Int64
    ) {
        self.location = location
        self.refusal = refusal
        self.secondsSinceEpoch = secondsSinceEpoch
    }
}
