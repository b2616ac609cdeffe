import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One `GET`, or the `POST` of a form, over a connection of its own (RFC 9112), by TLS if the URL says so.
struct HTTPFetch: Sendable {
    /// The end of a fetch that the server's bytes brought about.
    enum Failure: Error {
        /// The body is larger than it may be.
        case tooLarge

        /// The connection ended before the response did.
        case cutShort
    }

    /// A whole response.
    struct Response: Sendable {
        let status: Int
        let location: String?
        var body: [UInt8]
    }

    /// A form to be sent (RFC 6749 appendix B).
    struct Form: Sendable {
        /// The encoded pairs.
        let body: [UInt8]

        /// The value of `Authorization`; `nil` for none.
        let authorization: String?
    }

    let url: KeySetURL

    /// The form; `nil` to send none.
    var form: Form?

    /// The most bytes of a body.
    let maximumByteCount: Int

    /// The most time until there is a connection.
    let connectTimeout: Duration

    /// The trusted certificate authorities: by default those of this machine.
    var trustRoots = NIOSSLTrustRoots.default

    /// Sends the request, and waits for the response or the task's end, whichever comes first.
    func response() async throws -> Response {
        var tls: NIOSSLContext?
        if url.isSecure {
            var configuration = TLSConfiguration.makeClientConfiguration()
            // RFC 9325 section 3.1.1: nothing older.
            configuration.minimumTLSVersion = .tlsv12
            configuration.trustRoots = trustRoots
            tls = try NIOSSLContext(configuration: configuration)
        }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: Response.self)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(connectTimeout))
            .channelInitializer { [self, tls] channel in
                // The step that settles the response, or gives it up, also ends the connection.
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    // A name is sent to the server, and found in its certificate; an address is only looked for there.
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

    /// The request, and the response as it comes in.
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
