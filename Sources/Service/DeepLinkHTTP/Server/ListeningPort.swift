import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// A port that listens: it accepts connections up to the limit of all ports, counts them, and ends them once the server
/// is asked to stop.
///
/// It uses SwiftNIO's bootstrap itself, since Hummingbird's server takes an asynchronous channel and a task for each
/// connection: a new connection costs its handlers alone until a request waits (decision record 13).
struct ListeningPort {
    /// The number of connections that may wait to be accepted: more than any system allows, so that its own limit
    /// applies (listen(2): a larger value is capped at `net.core.somaxconn`).
    static let backlog: Int32 = 65_535

    private let group = MultiThreadedEventLoopGroup.singleton
    private let quiescing: ServerQuiescingHelper
    private let channel: any Channel

    /// The port's number.
    var number: Int? { channel.localAddress?.port }

    /// Binds a port, and accepts connections.
    ///
    /// - Parameters:
    ///   - host: the name or address to listen on.
    ///   - port: the port to listen on; 0 for any that is free.
    ///   - socket: a socket that listens already, in place of one at host and port.
    ///   - limit: the limit of open connections.
    ///   - prepare: adds the handlers of a connection.
    /// - Throws: `IOError` if the port cannot be bound.
    init(
        host: String,
        port: Int,
        socket: Int32? = nil,
        limit: CountedConnections,
        preparing prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws {
        let quiescing = ServerQuiescingHelper(group: group)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // SwiftNIO listens on a socket that it is given with a shorter queue.
                    if let socket { _ = listen(socket, Self.backlog) }
                    let handlers: [any ChannelHandler] = [
                        AvailableConnectionsChannelHandler(delegate: limit),
                        quiescing.makeServerChannelHandler(channel: channel),
                    ]
                    try channel.pipeline.syncOperations.addHandlers(handlers)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            }
        let listening = socket.map { bootstrap.withBoundSocket($0) } ?? bootstrap.bind(host: host, port: port)
        self.quiescing = quiescing
        channel = try await listening.get()
    }

    /// Serves until the process is asked to stop, and then until every connection has ended.
    func serve() async throws {
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
}
