import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStorage
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks which requests are answered at once, and which are passed on, in pieces that a socket would not keep apart.
@Suite struct AtOnceTests {
    private static let target = "/v1/resolve?link=navigation%3A%2Fonboarding&user=ada"
    private static let fields = "Host: localhost\r\nAccept: */*\r\n\r\n"
    private static let get = "GET \(target) HTTP/1.1\r\n" + fields
    private static let users = "GET /v1/users HTTP/1.1\r\n" + fields

    private static func atOnce(_ count: Int = 1) -> EmbeddedConnection.Outcome {
        .init(answered: Array(repeating: 200, count: count))
    }

    private static func deferred(_ targets: String...) -> EmbeddedConnection.Outcome { .init(deferred: targets) }

    private static func post(_ path: String, _ body: String, _ type: String = "application/json") -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            + body
    }

    // MARK: What is

    @Test func `the first request of a connection and the thousandth are answered at once`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        for index in 0..<1000 {
            let request = Self.get.replacing("Accept", with: "X-Request-Id: \(index)\r\nX: \(index * 7)\r\nAccept")
            #expect(try connection.send(request) == Self.atOnce())
        }
        #expect(try connection.send(Self.get + Self.get + Self.get) == Self.atOnce(3))
    }

    @Test(arguments: [
        ("GET /healthz", 200), ("GET /readyz", 200), ("GET /openapi.json", 200), ("GET /v1/catalog", 200),
        ("HEAD /healthz", 200), ("GET /onboarding", 200), ("GET /settings", 403), ("GET /nowhere", 404),
        ("GET /v1/nothing", 404), ("GET /openapi.yaml", 404), ("DELETE /v1/resolve", 405), ("OPTIONS /v1/users", 204),
        ("GET //v1//resolve/?link=navigation:/onboarding", 200), ("GET /v1/resolve?x=y", 400),
        ("GET http://localhost/healthz", 200), ("GET /v1/resolve?link=navigation:/onboarding&explain=true", 200),
    ])
    func `what waits for nothing is answered at once`(_ line: String, _ status: Int) throws {
        let connection = try EmbeddedConnection(TestServer.service())
        #expect(try connection.send("\(line) HTTP/1.1\r\n" + Self.fields) == .init(answered: [status]))
    }

    @Test(arguments: [
        ("/v1/resolve", #"{"link":"navigation:/onboarding"}"#, 200), ("/v1/resolve", #"{"link":1}"#, 400),
        ("/v1/resolve", "", 400), ("/v1/resolve", "{", 400), ("/v1/links", #"{"stack":[]}"#, 400),
        ("/v1/resolve", #"{"link":"navigation:/settings"}"#, 403),
    ])
    func `a short body is read whole, and answered at once`(_ path: String, _ body: String, _ status: Int) throws {
        let connection = try EmbeddedConnection(TestServer.service())
        let bytes = Array(Self.post(path, body).utf8)
        #expect(try connection.send(bytes) == .init(answered: [status]))
        // Also if it comes byte by byte.
        for byte in bytes.dropLast() { #expect(try connection.send([byte]) == .init()) }
        #expect(try connection.send(bytes.suffix(1)) == .init(answered: [status]))
    }

    @Test func `a body in chunks is answered at once, too`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        let body = #"{"link":"navigation:/onboarding"}"#
        let head = "POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        let chunked = head + "Transfer-Encoding: chunked\r\n\r\n" + String(body.utf8.count, radix: 16) + "\r\n" + body
        #expect(try connection.send(chunked + "\r\n0\r\n\r\n" + Self.get) == Self.atOnce(2))
    }

    @Test func `what is refused by its head is answered before its body has come`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        let request = Self.post("/v1/resolve", #"{"link":"navigation:/onboarding"}"#, "text/plain")
        let head = request.prefix { $0 != "{" }
        #expect(try connection.send(String(head)) == .init(answered: [415]))
        // The rest is thrown away, and the connection goes on.
        #expect(try connection.send(String(request.dropFirst(head.count)) + Self.get) == Self.atOnce())
    }

    @Test func `a client that waits for it is told to send its body`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        let body = #"{"link":"navigation:/onboarding"}"#
        let request = Self.post("/v1/resolve", body)
            .replacing("Content-Type", with: "Expect: 100-continue\r\nContent-Type")
        #expect(try connection.send(request.utf8.dropLast(body.utf8.count)) == .init(answered: [100]))
        #expect(try connection.send(body) == Self.atOnce())
    }

    // MARK: What is not

    @Test(arguments: ["GET /v1/users", "GET /v1/users/ada", "GET /v1/users/ada/history", "DELETE /v1/users/ada"])
    func `what waits is passed on`(_ line: String) throws {
        let connection = try EmbeddedConnection(TestServer.service())
        let target = String(line.split(separator: " ")[1])
        #expect(try connection.send("\(line) HTTP/1.1\r\n" + Self.fields) == Self.deferred(target))
        try connection.answer()
        // And then the next is answered at once.
        #expect(try connection.send(Self.get) == Self.atOnce())
    }

    @Test func `a body that is long, or that nobody asked for, is passed on whole`() throws {
        let service = try TestServer.service()
        let long = #"{"link":"navigation:/onboarding"}"# + String(repeating: " ", count: 70_000)
        for (request, body) in [
            (Self.post("/v1/resolve", long), long),
            (Self.get.replacing("\r\n\r\n", with: "\r\nContent-Length: 1\r\n\r\na"), "a"),
        ] {
            let connection = try EmbeddedConnection(service)
            #expect(try connection.send(request).deferred.count == 1)
            #expect(connection.deferredBody == body)
        }
        // In chunks that turn out to be long, too: what was gathered is not lost.
        let connection = try EmbeddedConnection(service)
        let head = "POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        let chunk = String(long.utf8.count / 2, radix: 16) + "\r\n" + long.prefix(long.utf8.count / 2) + "\r\n"
        #expect(try connection.send(head + "Transfer-Encoding: chunked\r\n\r\n" + chunk) == .init())
        #expect(try connection.send(chunk + "0\r\n\r\n").deferred.count == 1)
        #expect(connection.deferredBody.utf8.count == long.utf8.count / 2 * 2)
    }

    @Test func `while an answer is due, what comes after it waits for its turn`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        #expect(try connection.send(Self.users + Self.get) == Self.deferred("/v1/users", Self.target))
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.deferred(Self.target))
        try connection.answer()
        try connection.answer()
        #expect(try connection.send(Self.get + Self.users) == .init(answered: [200], deferred: ["/v1/users"]))
    }

    @Test func `wherever the bytes are cut, each request is answered once and in order`() throws {
        let bytes = Array((Self.get + Self.post("/v1/resolve", #"{"link":"x"}"#) + Self.get).utf8)
        for cut in 1..<bytes.count {
            let connection = try EmbeddedConnection(TestServer.service())
            let outcomes = [try connection.send(bytes[..<cut]), try connection.send(bytes[cut...])]
            #expect(outcomes.flatMap(\.answered) == [200, 400, 200] && outcomes.flatMap(\.deferred) == [], "\(cut)")
        }
    }

    @Test(arguments: [
        "POST /v1/users/ada HTTP/1.1\r\n" + "Host: localhost\r\n" + "Content-Length: \(get.utf8.count)\r\n\r\n" + get,
        "GET /v1/users HTTP/1.1\r\n" + "Host: localhost\r\n" + "Transfer-Encoding: chunked\r\n\r\n"
            + String(get.utf8.count, radix: 16) + "\r\n" + get + "\r\n0\r\n\r\n",
        "POST /v1/resolve HTTP/1.1\r\n" + "Host: localhost\r\n" + "Content-Length: \(get.utf8.count)\r\n\r\n" + get,
        "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nX:" + get, "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n" + get,
        "GET /" + get, "X" + get,
    ])
    func `a request that is hidden in another is not answered, wherever the bytes are cut`(_ request: String) throws {
        let bytes = Array(request.utf8)
        for cut in 0..<bytes.count {
            let connection = try EmbeddedConnection(TestServer.service())
            let first = try connection.send(bytes[..<cut])
            let second = try connection.send(bytes[cut...])
            #expect(!(first.answered + second.answered).contains(200), "\(cut)")
        }
    }

    // MARK: Credentials

    private static let withToken = get.replacing(
        "\r\n\r\n",
        with: "\r\nAuthorization: Bearer \(TestToken.resolver.text)\r\n\r\n"
    )

    @Test func `a token that is revoked counts no longer`() async throws {
        let store = InMemoryServiceTokenStore([TestToken.resolver.stored])
        let tokens = try await ServiceTokens(store)
        let connection = try EmbeddedConnection(
            TestServer.service(authentication: Authentication(serviceTokens: tokens))
        )
        #expect(try connection.send(Self.withToken) == Self.atOnce())
        _ = try await store.revoke(TestToken.resolver.stored.id, at: TestServer.now)
        try await tokens.refresh()
        #expect(try connection.send(Self.withToken) == .init(answered: [401]))
    }

    @Test func `a token that expires counts no longer`() throws {
        let clock = Atomic(TestServer.now.millisecondsSinceEpoch)
        let stored = TestToken.resolver.stored
        let token = ServiceToken(
            id: stored.id,
            digest: stored.digest,
            role: stored.role,
            created: stored.created,
            expires: TestServer.now
        )
        let service = try TestServer.service(serviceTokens: [token]) {
            Timestamp(millisecondsSinceEpoch: clock.load(ordering: .relaxed))
        }
        let connection = try EmbeddedConnection(service)
        #expect(try connection.send(Self.withToken) == Self.atOnce())
        clock.add(1, ordering: .relaxed)
        #expect(try connection.send(Self.withToken) == .init(answered: [401]))
    }

    @Test func `an end user's token is verified once, and then known`() async throws {
        let token = try await TestIssuer.shared.value.curve.token()
        let request = Self.withToken.replacing(TestToken.resolver.text, with: token)
            .replacing("&user=ada", with: "")
        let verifier = try await TestIssuer.verifier()
        let connection = try EmbeddedConnection(TestServer.service(endUsers: verifier))
        #expect(try connection.send(request).deferred.count == 1)
        try connection.answer()
        _ = try await verifier.user(of: token, at: TestServer.now)
        #expect(try connection.send(request) == Self.atOnce())
        #expect(try connection.send(request.replacing("?", with: "?user=bob&")) == .init(answered: [403]))
    }

    @Test func `the first token closes the server`() async throws {
        let store = InMemoryServiceTokenStore()
        let tokens = try await ServiceTokens(store)
        let service = try TestServer.service(authentication: Authentication(serviceTokens: tokens))
        let connection = try EmbeddedConnection(service)
        #expect(try connection.send(Self.get) == Self.atOnce())
        try await store.add(TestToken.admin.stored)
        try await tokens.refresh()
        #expect(try connection.send(Self.get) == .init(answered: [401]))
    }

    // MARK: What changes meanwhile

    @Test func `a catalog that is swapped answers the next request`() throws {
        let catalog = LiveCatalog(try SampleApp.catalog())
        let connection = try EmbeddedConnection(TestServer.service(catalog: catalog))
        #expect(try connection.send(Self.get) == Self.atOnce())
        catalog.replace(with: try TestServer.Circumstance.prefixed.catalog())
        // The origin is another's now.
        #expect(try connection.send(Self.get) == .init(answered: [404]))
    }

    @Test func `a user's level counts from the next request on`() async throws {
        let store = InMemoryUserStateStore()
        let connection = try EmbeddedConnection(TestServer.service(store: store))
        let settings = Self.get.replacing("onboarding", with: "settings")
        #expect(try connection.send(settings) == .init(answered: [403]))
        let write = UserStateWrite(
            id: try #require(UserID("ada")),
            level: try #require(LevelAssignment(level: .premiumUser)),
            time: TestServer.now,
            author: "test"
        )
        _ = try await store.save(write)
        #expect(try connection.send(settings) == Self.atOnce())
    }

    // MARK: Limits

    @Test func `a server that stops ends the connection with the next answer`() throws {
        let service = try TestServer.service()
        let connection = try EmbeddedConnection(service)
        service.load.drain()
        #expect(try connection.send(Self.get + Self.get) == Self.atOnce())
    }

    @Test func `a connection that is to end answers nothing more`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        #expect(try connection.send(Self.get) == Self.atOnce())
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try connection.send(Self.get) == .init())
    }

    @Test func `the first request of a connection that is to end is answered, and no other`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try connection.send(Self.get) == Self.atOnce())
        #expect(try connection.send(Self.get) == .init())
    }

    @Test func `a request whose rest is still to come is answered by a server that stops`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        #expect(try connection.send(Self.get + String(Self.get.prefix(20))) == Self.atOnce())
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try connection.send(String(Self.get.dropFirst(20))) == Self.atOnce())
        #expect(try connection.send(Self.get) == .init())
    }

    @Test func `while the client takes no answers, requests are passed on, where they wait`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        connection.channel.isWritable = false
        #expect(try connection.send(Self.get) == Self.deferred(Self.target))
        connection.channel.isWritable = true
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.atOnce())
    }

    @Test func `a server with too much to do says so`() throws {
        let service = try TestServer.service(.overloaded)
        let connection = try EmbeddedConnection(service)
        #expect(try connection.send(Self.get) == .init(answered: [503]))
        #expect(service.load.openRequestCount == 0)
    }

    @Test func `what is answered is counted until it is sent`() throws {
        let service = try TestServer.service(.brokenStore)
        let connection = try EmbeddedConnection(service)
        #expect(try connection.send(Self.get) == .init(answered: [503]))
        #expect(service.load.openRequestCount == 0)
        #expect(try connection.send(Self.users).deferred.count == 1)
        #expect(service.load.openRequestCount == 1)
        try connection.answer()
        #expect(service.load.openRequestCount == 0)
    }
}
