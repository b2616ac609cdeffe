import DeepLinkCore
import NIOCore
import NIOHTTP1
import NIOPosix

/// A question to a server whether it is ready, asked once.
struct ReadinessProbe {
    private static let timeout = TimeAmount.seconds(2)

    private let host: String
    private let port: Int

    /// Aims at an address; one that means "all interfaces" is asked on loopback.
    init(host: String, port: Int) {
        self.host =
            switch host.bytewise {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        self.port = port
    }

    /// Returns the status of `GET /readyz`.
    ///
    /// - Throws: an error of the connection, where no server answers in time.
    func status() async throws -> Int {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(Self.timeout)
        let channel = try await bootstrap.connect(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: Self.timeout))
                try channel.pipeline.syncOperations.addHandler(ClosesWhenIdle())
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            let headers = HTTPHeaders([("Host", "\(host):\(port)"), ("Connection", "close")])
            try await outbound.write(
                .head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/readyz", headers: headers))
            )
            try await outbound.write(.end(nil))
            for try await case .head(let head) in inbound { return Int(head.status.code) }
            throw ChannelError.eof
        }
    }
}

/// The handler that closes a connection on which nothing has arrived for the time of the idle handler before it.
private final class ClosesWhenIdle: ChannelInboundHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        context.close(promise: nil)
    }
}
