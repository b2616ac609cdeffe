import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// A listening port.
///
/// It accepts connections up to its limit, counts them, and closes them once the server is asked to stop.
///
/// It uses SwiftNIO's bootstrap directly, since Hummingbird's server takes an asynchronous channel and a task for each
/// connection. Here a new connection costs only its handlers until a request waits (decision record 13).
struct ListeningPort {
    /// The length of the queue of connections to accept: more than any system allows, so that the system's limit
    /// applies (listen(2): a larger value is capped at `net.core.somaxconn`).
    static let backlog: Int32 = 65_535

    private let group = MultiThreadedEventLoopGroup.singleton
    private let quiescing: ServerQuiescingHelper
    private let channel: any Channel

    /// The number of the port.
    var number: Int? { channel.localAddress?.port }

    /// Binds a port, and accepts connections.
    ///
    /// - Parameters:
    ///   - host: the name or address to listen on.
    ///   - port: the port to listen on, or 0 for any free one.
    ///   - socket: a socket that already listens, in place of host and port.
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
                    // SwiftNIO listens with a shorter queue on a socket that it is given.
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

    /// Serves until the process is asked to stop and every connection has closed.
    func serve() async throws {
        try await gracefulShutdown()
        // When the port is closed, SwiftNIO drops accepted connections that have not reached their event loop. So
        // accept no more, and let those arrive first.
        try? await channel.setOption(.autoRead, value: false).get()
        for loop in group.makeIterator() { try? await loop.submit {}.get() }
        try? await channel.eventLoop.submit {}.get()
        let (ends, hasEnded) = AsyncStream.makeStream(of: Never.self)
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in hasEnded.finish() }
        quiescing.initiateShutdown(promise: promise)
        // On cancellation the time is over, and the process ends with its connections.
        for await _ in ends {}
    }
}
