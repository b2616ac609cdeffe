import DeepLinkCore
import NIOCore
import NIOHTTP1
import NIOPosix

/// The host and the port of a server, and the trust in its certificate.
struct ServerAddress {
    let host: String
    let port: Int

    /// The accepted certificates, or `nil` for plain text.
    let trust: ServerTrust?

    /// Creates an address from host and port, in which loopback replaces an address of all interfaces.
    init(host: String, port: Int, trust: ServerTrust?) {
        self.trust = trust
        switch host.bytewise {
        case "0.0.0.0": self.host = "127.0.0.1"
        case "::": self.host = "::1"
        default: self.host = host
        }
        self.port = port
    }

    /// Reads an http or https URL that ends with the port.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - trust: The accepted certificates of an https server.
    /// - Throws: ``CommandError`` of code 64.
    init(_ text: String, trust: ServerTrust) throws(CommandError) {
        guard let link = try? DeepLink(text), link.segments.isEmpty,
            ["http".bytewise, "https".bytewise].contains(link.scheme.bytewise)
        else {
            throw CommandError.usage(
                "`\(text)` isn't the address of a server. Write http://host:port or https://host:port."
            )
        }
        let isSecure = link.scheme.bytewise == "https"
        self.init(host: link.host, port: link.port ?? (isSecure ? 443 : 80), trust: isSecure ? trust : nil)
    }

    /// The address for messages and the `Host` header.
    var text: String { "\(host):\(port)" }
}

/// A single `GET` of a server, on a connection of its own.
struct ServerRequest {
    /// The maximum size of a response, in bytes.
    private static let maximumByteCount = 64 << 20

    let address: ServerAddress
    let path: String

    /// The maximum time to connect.
    let timeout: TimeAmount

    /// Whether the same time also limits each wait for bytes of the response.
    var limitsReading = false

    /// The token to send, or `nil` for none.
    var token: String?

    /// Returns the status and the body of the response.
    ///
    /// - Throws: The connection's error if no server answers in time, or the response is too large.
    func response() async throws -> (status: Int, body: [UInt8]) {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(timeout)
        let channel = try await bootstrap.connect(host: address.host, port: address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try address.trust?.add(to: channel.pipeline.syncOperations, host: address.host)
                if limitsReading {
                    try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: timeout))
                    try channel.pipeline.syncOperations.addHandler(ClosesWhenIdle())
                }
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var headers = HTTPHeaders([("Host", address.text), ("Connection", "close")])
            if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
            // One write. A server can answer the head and close the connection before a second one.
            try await outbound.write(contentsOf: [.head(head), .end(nil)])
            var (status, body) = (0, [UInt8]())
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes):
                    body += bytes.readableBytesView
                    guard body.count <= Self.maximumByteCount else { throw ChannelError.eof }
                case .end: return (status, body)
                }
            }
            throw ChannelError.eof
        }
    }
}

/// The handler that closes an idle connection, as reported by the idle handler before it.
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
