import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Testing

@testable import DeepLinkAuthentication

/// Fetches over TLS from a server that only some trust, and looks at what is sent.
@Suite struct HTTPFetchTests {
    /// A certificate for the name `localhost` that vouches for itself, made for these tests, until 2126.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBljCCATugAwIBAgIUZXBsHSnPkSPa/seD8QCd5z004Q4wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA3MTU1MloYDzIxMjYxMDI5
        MDcxNTUyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATVQsevXgCs9Kw+X0m9q1rGy8REFbdvR60/Yq6IndOj4g+GiOtUh8Me
        D4mgw3U9PVMPJi5lnvKVotFgG4LYuqZdo2kwZzAdBgNVHQ4EFgQUdXuBEyAOQ2du
        hUWIl2hasi9lMDwwHwYDVR0jBBgwFoAUdXuBEyAOQ2duhUWIl2hasi9lMDwwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SQAwRgIhAO1pNJH2S7KVIy79rdsTGw/87N0nVMT6TUWcv5UcrrMhAiEAgMARc8T9
        uU0+aRS2y0jzQ3zDvMut/qIPh3BJdUmObwk=
        -----END CERTIFICATE-----
        """

    /// Its key, which opens nothing else.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyBGpp0CadcvOqMHv
        gIF1Q+lDIlMBC1/2vPlhQLTh+V2hRANCAATVQsevXgCs9Kw+X0m9q1rGy8REFbdv
        R60/Yq6IndOj4g+GiOtUh8MeD4mgw3U9PVMPJi5lnvKVotFgG4LYuqZd
        -----END PRIVATE KEY-----
        """

    /// The server's side of one connection: answers every request with what it was asked.
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let body: String?

        init(_ body: String?) { self.body = body }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            let text = body ?? "\(head.uri) \(head.headers["Host"]) \(head.headers["User-Agent"])"
            let fields = HTTPHeaders([("Content-Length", "\(text.utf8.count)")])
            let answer = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
            context.write(wrapOutboundOut(.head(answer)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Runs a server with the certificate, of no other version of TLS than these, while a body runs.
    private func withServer(
        maximumVersion: TLSVersion = .tlsv13,
        body answer: String? = nil,
        _ body: (Int) async throws -> Void
    ) async throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem))
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximumVersion
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Echo(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        do {
            try await body(try #require(channel.localAddress?.port))
            try await channel.close()
        } catch {
            try await channel.close()
            throw error
        }
    }

    private func fetch(_ url: String, trusting isTrusted: Bool, maximumByteCount: Int = 1000) throws -> HTTPFetch {
        let certificate = try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)
        return HTTPFetch(
            url: try TrustedURL(url),
            maximumByteCount: maximumByteCount,
            connectTimeout: .seconds(60),
            trustRoots: isTrusted ? .certificates([certificate]) : .default
        )
    }

    @Test func `a server whom this machine trusts is asked by name`() async throws {
        try await withServer { port in
            let response = try await fetch("https://localhost:\(port)/a%20b?c=%2F", trusting: true).response()
            #expect(response.status == 200 && response.location == nil)
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text == #"/a%20b?c=%2F ["localhost:\#(port)"] ["waymark"]"#)
            let root = try await fetch("https://localhost:\(port)", trusting: true).response()
            #expect(String(decoding: root.body, as: UTF8.self).hasPrefix("/ ["))
        }
    }

    @Test func `a certificate that nobody vouches for is refused, and so is one of another name`() async throws {
        try await withServer { port in
            await #expect(throws: NIOSSLError.self) {
                _ = try await fetch("https://localhost:\(port)", trusting: false).response()
            }
            await #expect(throws: (any Error).self) {
                _ = try await fetch("https://127.0.0.1:\(port)", trusting: true).response()
            }
        }
    }

    @Test func `a server that knows nothing newer than TLS 1_1 is refused`() async throws {
        try await withServer(maximumVersion: .tlsv11) { port in
            await #expect(throws: NIOSSLError.self) {
                _ = try await fetch("https://localhost:\(port)", trusting: true).response()
            }
        }
    }

    @Test func `a body may have as many bytes as are allowed, and no more`() async throws {
        try await withServer(body: String(repeating: "x", count: 1000)) { port in
            let url = "https://localhost:\(port)"
            let whole = try await fetch(url, trusting: true, maximumByteCount: 1000).response()
            #expect(whole.body.count == 1000)
            await #expect(throws: HTTPFetch.Failure.tooLarge) {
                _ = try await fetch(url, trusting: true, maximumByteCount: 999).response()
            }
        }
    }
}
