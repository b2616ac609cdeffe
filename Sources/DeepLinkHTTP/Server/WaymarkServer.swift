import Glibc
import HummingbirdCore
package import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// The server: it binds a port, accepts connections, and ends them once it is asked to stop.
///
/// It uses SwiftNIO's bootstrap itself, since Hummingbird's server takes an asynchronous channel and a task for each
/// connection: a new connection costs its handlers alone until a request waits (decision record 13).
package struct WaymarkServer: Service {
    /// The number of connections that may wait to be accepted: more than any system allows, so that its own limit
    /// applies (listen(2): a larger value is capped at `net.core.somaxconn`).
    static let backlog: Int32 = 65_535

    private let services: ConnectionServices
    private let host: String
    private let port: Int
    private let socket: Int32?
    private let maximumConnections: Int
    private let limits: ConnectionLimits
    private let logger: Logger
    private let onListening: @Sendable (_ port: Int) async -> Void

    /// Creates a server that answers with services.
    ///
    /// - Parameters:
    ///   - services: the dependencies of all connections.
    ///   - host: the name or address to listen on.
    ///   - port: the port to listen on; 0 for any that is free.
    ///   - socket: a socket that listens already, in place of one at host and port.
    ///   - maximumConnections: the maximum number of open connections; others wait to be accepted.
    ///   - limits: the time limits of a connection.
    ///   - logger: the log for failures.
    ///   - onListening: a function that gets the port, once connections are accepted.
    package init(
        _ services: ConnectionServices,
        host: String,
        port: Int,
        socket: Int32? = nil,
        maximumConnections: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.services = services
        self.host = host
        self.port = port
        self.socket = socket
        self.maximumConnections = maximumConnections
        self.limits = limits
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until the process is asked to stop, and then until every connection has ended.
    ///
    /// - Throws: `IOError` if the port cannot be bound.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let bootstrap = bootstrap(on: group, quiescing: quiescing)
        let listening = socket.map { bootstrap.withBoundSocket($0) } ?? bootstrap.bind(host: host, port: port)
        let channel = try await listening.get()
        await onListening(channel.localAddress?.port ?? port)
        try await gracefulShutdown()
        // SwiftNIO drops what was accepted and is on its way to its event loop when the port is closed: accept nothing more,
        // and let that arrive.
        try? await channel.setOption(.autoRead, value: false).get()
        for loop in group.makeIterator() { try? await loop.submit {}.get() }
        try? await channel.eventLoop.submit {}.get()
        let (ends, hasEnded) = AsyncStream.makeStream(of: Never.self)
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in hasEnded.finish() }
        quiescing.initiateShutdown(promise: promise)
        // If this is cancelled, the time is over, and the process ends with its connections.
        for await _ in ends {}
    }

    private func bootstrap(on group: any EventLoopGroup, quiescing: ServerQuiescingHelper) -> ServerBootstrap {
        let responder = DeferredResponder(services: services, logger: logger)
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [services, maximumConnections, logger, socket] channel in
                channel.eventLoop.makeCompletedFuture {
                    // SwiftNIO listens on a socket that it is given with a shorter queue.
                    if let socket { _ = listen(socket, Self.backlog) }
                    let limit = CountedConnections(
                        load: services.load,
                        maximumCount: maximumConnections,
                        logger: logger
                    )
                    let handlers: [any ChannelHandler] = [
                        AvailableConnectionsChannelHandler(delegate: limit),
                        quiescing.makeServerChannelHandler(channel: channel),
                    ]
                    try channel.pipeline.syncOperations.addHandlers(handlers)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [services, limits, logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try ExchangeHandler.add(
                        to: channel.pipeline.syncOperations,
                        services: services,
                        limits: limits,
                        timeouts: ConnectionTimeouts(limits),
                        responder: responder
                    ) {
                        try DeferredChannel(answering: $1, with: responder, logger: logger).add(to: $0)
                    }
                }
            }
    }
}
