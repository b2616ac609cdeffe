import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A single `GET`, or a `POST` of a form, over its own connection (RFC 9112), with TLS if the URL is https.
struct HTTPFetch: Sendable {
    /// A failure caused by the response.
    enum Failure: Error {
        /// The body exceeds the maximum.
        case tooLarge

        /// The connection closed before the response was complete.
        case cutShort
    }

    /// A complete response.
    struct Response: Sendable {
        let status: Int
        let location: String?
        var body: [UInt8]
    }

    /// A form to send (RFC 6749 appendix B).
    struct Form: Sendable {
        /// The encoded pairs.
        let body: [UInt8]

        /// The value of `Authorization`, or `nil` for none.
        let authorization: String?
    }

    let url: TrustedURL

    /// The form to post, or `nil` for a `GET`.
    var form: Form?

    /// The maximum size of a body, in bytes.
    let maximumByteCount: Int

    /// The timeout for connecting.
    let connectTimeout: Duration

    /// The trusted certificate authorities, by default those that this machine trusts.
    var trustRoots = NIOSSLTrustRoots.default

    /// Sends the request, and waits for the response or the cancellation of the task.
    func response() async throws -> Response {
        var tls: NIOSSLContext?
        if url.isSecure {
            var configuration = TLSConfiguration.makeClientConfiguration()
            // RFC 9325 section 3.1.1: no older version.
            configuration.minimumTLSVersion = .tlsv12
            configuration.trustRoots = trustRoots
            tls = try NIOSSLContext(configuration: configuration)
        }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: Response.self)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(connectTimeout))
            .channelInitializer { [self, tls] channel in
                // Completing the promise, with a response or a failure, also closes the connection.
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    // A name is sent for SNI and verified against the certificate. An address is only verified.
                    let name = (try? SocketAddress(ipAddress: url.host, port: 0)) == nil ? url.host : nil
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(Exchange(self, promise: promise))
                }
            }
            .connect(host: url.host, port: url.port)
            .whenFailure { promise.fail($0) }
        return try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    /// The channel handler that sends the request and collects the response.
    private final class Exchange: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart

        private let fetch: HTTPFetch
        private let promise: EventLoopPromise<Response>
        private var response: Response?

        init(_ fetch: HTTPFetch, promise: EventLoopPromise<Response>) {
            self.fetch = fetch
            self.promise = promise
        }

        func channelActive(context: ChannelHandlerContext) {
            var headers = HTTPHeaders([
                ("Host", fetch.url.authority), ("Accept", "application/jwk-set+json, application/json"),
                ("User-Agent", "waymark"), ("Connection", "close"),
            ])
            if let form = fetch.form {
                headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
                headers.add(name: "Content-Length", value: String(form.body.count))
                if let authorization = form.authorization { headers.add(name: "Authorization", value: authorization) }
            }
            let method: HTTPMethod = fetch.form == nil ? .GET : .POST
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: fetch.url.target, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if let form = fetch.form {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: form.body)))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let location = head.headers.first(name: "Location")
                response = Response(status: Int(head.status.code), location: location, body: [])
            case .body(let bytes):
                response?.body += bytes.readableBytesView
                if response?.body.count ?? 0 > fetch.maximumByteCount { promise.fail(Failure.tooLarge) }
            case .end:
                if let response { promise.succeed(response) }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }

        func channelInactive(context: ChannelHandlerContext) { promise.fail(Failure.cutShort) }
    }
}
