package import Logging
import NIOCore
import ServiceLifecycle

/// The server.
///
/// It listens on a port, in plain text or over TLS, and an application answers the requests.
package struct ApplicationServer: Service {
    private let application: any ServerApplication
    private let host: String
    private let port: Int
    private let socket: Int32?
    private let certificate: LiveCertificate?
    private let maximumConnections: Int
    private let limits: ConnectionLimits
    private let logger: Logger
    private let onListening: @Sendable (_ port: Int) async -> Void

    /// Creates a server of an application.
    ///
    /// - Parameters:
    ///   - application: the application.
    ///   - host: the name or address to listen on.
    ///   - port: the port to listen on, or 0 for any free one.
    ///   - socket: a socket that already listens, in place of host and port.
    ///   - certificate: the certificate for TLS, or `nil` for connections in plain text.
    ///   - maximumConnections: the maximum number of open connections. Further ones wait to be accepted.
    ///   - limits: the time limits of a connection.
    ///   - logger: the log for failures.
    ///   - onListening: a function called with the port once connections are accepted.
    package init(
        _ application: any ServerApplication,
        host: String,
        port: Int,
        socket: Int32? = nil,
        certificate: LiveCertificate? = nil,
        maximumConnections: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.application = application
        self.host = host
        self.port = port
        self.socket = socket
        self.certificate = certificate
        self.maximumConnections = maximumConnections
        self.limits = limits
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until the process is asked to stop and every connection has closed.
    ///
    /// - Throws: `IOError` if the port cannot be bound.
    package func run() async throws {
        let connections = CountedConnections(
            load: application.load,
            maximumCount: maximumConnections,
            hasReserve: true,
            logger: logger
        )
        let listening = try await ListeningPort(host: host, port: port, socket: socket, limit: connections) {
            [application, certificate, limits, logger] channel in
            let pipeline = channel.pipeline.syncOperations
            if let certificate { try TLSHandler.add(to: pipeline, certificate: certificate.current, limits: limits) }
            let addHandlers = { (endsOnceAnswered: Bool) in
                try HTTPConnectionHandler.add(
                    to: pipeline,
                    application: application,
                    limits: limits,
                    timeouts: ConnectionTimeouts(limits),
                    endsOnceAnswered: endsOnceAnswered,
                    answersInTasks: true
                ) {
                    try DeferredChannel(answering: $1, of: application, logger: logger).add(to: $0)
                }
            }
            guard !connections.place(channel) else { return try addHandlers(false) }
            try pipeline.addHandler(
                WaitingConnectionHandler(
                    for: connections,
                    of: application,
                    limits: limits,
                    addingHandlers: addHandlers
                )
            )
        }
        await onListening(listening.number ?? port)
        try await listening.serve()
    }
}
