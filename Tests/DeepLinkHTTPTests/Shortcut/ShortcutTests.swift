import DeepLinkAuthentication
import DeepLinkCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Checks which requests take the shortcut, and which do not, in pieces that a socket would not keep apart.
@Suite struct ShortcutTests {
    private static let target = "/v1/resolve?link=navigation%3A%2Fonboarding&user=ada"
    private static let fields = "Host: localhost\r\nAccept: */*\r\n\r\n"
    private static let get = "GET \(target) HTTP/1.1\r\n" + fields

    private static func atOnce(_ count: Int = 1) -> EmbeddedConnection.Outcome {
        .init(answered: Array(repeating: 200, count: count))
    }

    private static let passedOn = EmbeddedConnection.Outcome(passedOn: [target])

    /// A connection on which the fields are known.
    private func taught(_ environment: ServiceEnvironment? = nil, _ request: String = get) throws -> EmbeddedConnection
    {
        let connection = try EmbeddedConnection(environment ?? TestServer.environment())
        try connection.teach(request)
        return connection
    }

    // MARK: What takes it

    @Test func `fields that were seen before are answered at once`() throws {
        let connection = try EmbeddedConnection(TestServer.environment())
        #expect(try connection.send(Self.get) == Self.passedOn)
        try connection.answer()
        for _ in 0..<3 { #expect(try connection.send(Self.get) == Self.atOnce()) }
        #expect(try connection.send(Self.get + Self.get + Self.get) == Self.atOnce(3))
    }

    @Test func `other questions with the same fields are answered at once, problems included`() throws {
        let connection = try taught()
        for (query, status) in [
            ("link=navigation:/onboarding", 200), ("link=navigation:%2Fsettings", 403), ("link=nowhere", 400),
            ("link=navigation:/nowhere", 404), ("link=navigation:/characters/character/x", 422),
            ("user=%E2%82%AC&link=navigation:/onboarding", 200), ("user=&link=navigation:/onboarding", 400),
            ("link=", 400), ("link=navigation:/onboarding?a=b", 200), ("link=a+b", 400),
        ] {
            let request = Self.get.replacing(Self.target, with: "/v1/resolve?" + query)
            #expect(try connection.send(request).answered == [status], "\(query)")
        }
    }

    @Test func `the user may be named by the fields`() throws {
        let request = Self.get.replacing("&user=ada", with: "")
            .replacing("\r\n\r\n", with: "\r\nWaymark-User: ada\r\n\r\n")
        let connection = try taught(nil, request)
        #expect(try connection.send(request) == Self.atOnce())
        #expect(try connection.send(request.replacing(" HTTP", with: "&user=ada HTTP")) == Self.atOnce())
        #expect(try connection.send(request.replacing(" HTTP", with: "&user=bob HTTP")) == .init(answered: [400]))
    }

    @Test func `while an answer is due, what comes after it waits for its turn`() throws {
        let connection = try EmbeddedConnection(TestServer.environment())
        #expect(try connection.send(Self.get + Self.get).passedOn == [Self.target, Self.target])
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.passedOn)
        try connection.answer()
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.atOnce())
    }

    @Test func `requests that differ are passed on in their order, between those that do not`() throws {
        let connection = try taught()
        let other = Self.get.replacing("Accept", with: "X-Accept")
        let outcome = try connection.send(Self.get + Self.get + other + Self.get)
        #expect(outcome == .init(answered: [200, 200], passedOn: [Self.target, Self.target]))
        try connection.answer()
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.atOnce())
    }

    @Test func `the newest fields are the ones that are known`() throws {
        let connection = try taught()
        let other = Self.get.replacing("*/*", with: "application/json")
        try connection.teach(other)
        #expect(try connection.send(Self.get) == Self.passedOn)
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.atOnce())
        #expect(try connection.send(other) == Self.passedOn)
    }

    // MARK: What does not

    @Test(arguments: [
        get.replacing("HTTP/1.1", with: "HTTP/1.0"), get.replacing("GET", with: "HEAD"),
        get.replacing("GET", with: "POST"), get.replacing("GET", with: "get"), "\r\n" + get,
        get.replacing("GET ", with: "GET  "), get.replacing(" HTTP", with: "  HTTP"),
        get.replacing("GET /", with: "GET http://localhost/"), get.replacing("/v1/resolve?", with: "/v1/resolve"),
        get.replacing("/v1/resolve", with: "/v1/resolve/"), get.replacing("/v1/resolve", with: "//v1/resolve"),
        get.replacing("/v1/resolve", with: "/v1/%72esolve"), get.replacing("/v1/resolve", with: "/V1/resolve"),
        get.replacing("?link", with: "?lin%6B"), get.replacing("link=", with: "link"),
        get.replacing("link=", with: "Link="), get.replacing("&user", with: "&&user"),
        get.replacing("?link", with: "?&link"), get.replacing("=ada", with: "=ada&"),
        get.replacing("=ada", with: "=ada&user=ada"), get.replacing("=ada", with: "=ada&link=a"),
        get.replacing("=ada", with: "=ada&mode=append"), get.replacing("=ada", with: "=ada&explain=true"),
        get.replacing("=ada", with: "=ada&x=y"), get.replacing("=ada", with: "=%FF"),
        get.replacing("=ada", with: "=%a"), get.replacing("=ada", with: "=%zz"), get.replacing("=ada", with: "=a#b"),
        get.replacing("=ada", with: "=a\"b"), get.replacing("=ada", with: "=a{b"), get.replacing("=ada", with: "=a\tb"),
        get.replacing("=ada", with: "=\u{e9}"), get.replacing("=ada", with: "=\u{0}"),
        get.replacing("link=navigation%3A%2Fonboarding&", with: ""),
        get.replacing("onboarding", with: String(repeating: "a", count: 2048)),
        get.replacing("HTTP/1.1\r\n", with: "HTTP/1.1\n"), get.replacing("*/*\r\n", with: "*/*\n"),
        get.replacing("Accept: */*\r\n", with: ""), get.replacing("*/*", with: "*/* "),
        get.replacing("localhost", with: "LOCALHOST"), get.replacing("Accept", with: "accept"),
        get.replacing("Host: localhost\r\nAccept: */*", with: "Accept: */*\r\nHost: localhost"),
        get.replacing("Accept", with: "X: y\r\nAccept"), get.replacing("\r\n\r\n", with: "\r\nX: y\r\n\r\n"),
        get.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"),
        get.replacing("\r\n\r\n", with: "\r\nContent-Length: 1\r\n\r\na"),
        get.replacing("\r\n\r\n", with: "\r\nWaymark-User: bob\r\n\r\n"),
    ])
    func `what is not the same goes the plain way`(_ request: String) throws {
        let outcome = try taught().send(request)
        #expect(!outcome.answered.contains(200))
        #expect(outcome.answered.count + outcome.passedOn.count == 1, "\(outcome)")
    }

    @Test(arguments: [
        get.replacing("*/*", with: "text/html"), get.replacing("localhost", with: "evil.example"),
        get.replacing("\r\n\r\n", with: "\r\nX: \(String(repeating: "a", count: 1024))\r\n\r\n"),
        get.replacing("\r\n\r\n", with: "\r\nContent-Length: 1\r\n\r\na"),
        get.replacing("\r\n\r\n", with: "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ])
    func `what the plain way refuses, or what is large, teaches nothing`(_ request: String) throws {
        let connection = try taught(nil, request)
        #expect(try connection.send(request) == Self.passedOn)
    }

    @Test func `a head that comes in pieces teaches nothing, and is not answered at once`() throws {
        let connection = try EmbeddedConnection(TestServer.environment())
        _ = try connection.send(Self.get.prefix(50).utf8)
        #expect(try connection.send(Self.get.dropFirst(50).utf8) == Self.passedOn)
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.passedOn)
    }

    @Test func `wherever the bytes are cut, each request is answered once and in order`() throws {
        let bytes = Array((Self.get + Self.get).utf8)
        for cut in 1..<bytes.count {
            let connection = try taught()
            let first = try connection.send(bytes[..<cut])
            for _ in first.passedOn { try connection.answer() }
            let second = try connection.send(bytes[cut...])
            let answered = first.answered.count + second.answered.count
            #expect(answered + first.passedOn.count + second.passedOn.count == 2, "\(cut)")
            // A request in two pieces takes the plain way, and so does what comes in one piece with its end.
            #expect(answered == (cut < bytes.count / 2 ? 0 : cut == bytes.count / 2 ? 2 : 1), "\(cut)")
        }
    }

    @Test(arguments: [
        "POST /v1/resolve HTTP/1.1\r\n" + fields.dropLast(2) + "Content-Length: \(get.utf8.count)\r\n\r\n" + get,
        "GET /v1/resolve HTTP/1.1\r\n" + fields.dropLast(2) + "Transfer-Encoding: chunked\r\n\r\n"
            + String(get.utf8.count, radix: 16) + "\r\n" + get + "\r\n0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX:" + get, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + get,
        "GET /" + get, "X" + get,
    ])
    func `a request that is hidden in another is not answered, wherever the bytes are cut`(_ request: String) throws {
        let bytes = Array(request.utf8)
        for cut in 0..<bytes.count {
            let connection = try taught()
            let first = try connection.send(bytes[..<cut])
            let second = try connection.send(bytes[cut...])
            #expect(!(first.answered + second.answered).contains(200), "\(cut)")
        }
    }

    // MARK: What changes meanwhile

    private static let withToken = get.replacing(
        "\r\n\r\n",
        with: "\r\nAuthorization: Bearer \(TestToken.resolver.text)\r\n\r\n"
    )

    @Test func `a token that is revoked counts no longer`() async throws {
        let store = InMemoryServiceTokenStore([TestToken.resolver.stored])
        let tokens = try ServiceTokens(store)
        let connection = try taught(
            TestServer.environment(authentication: Authentication(serviceTokens: tokens)),
            Self.withToken
        )
        #expect(try connection.send(Self.withToken) == Self.atOnce())
        try tokens.refresh()
        #expect(try connection.send(Self.withToken) == Self.atOnce())
        _ = try await store.revoke(TestToken.resolver.stored.id, at: TestServer.now)
        try tokens.refresh()
        #expect(try connection.send(Self.withToken) == Self.passedOn)
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
        let environment = try TestServer.environment(serviceTokens: [token]) {
            Timestamp(millisecondsSinceEpoch: clock.load(ordering: .relaxed))
        }
        let connection = try taught(environment, Self.withToken)
        #expect(try connection.send(Self.withToken) == Self.atOnce())
        clock.add(1, ordering: .relaxed)
        #expect(try connection.send(Self.withToken) == Self.passedOn)
    }

    @Test(arguments: [TestToken.expired, .revoked])
    func `a token that is not valid opens nothing`(_ token: TestToken) throws {
        let request = Self.withToken.replacing(TestToken.resolver.text, with: token.text)
        #expect(try taught(TestServer.environment(.tokens), request).send(request) == Self.passedOn)
    }

    @Test func `an end user's token is the plain way's`() async throws {
        let token = try await TestIssuer.shared.value.curve.token()
        let request = Self.withToken.replacing(TestToken.resolver.text, with: token)
        let environment = try await TestServer.environment(endUsers: TestIssuer.verifier())
        #expect(try taught(environment, request).send(request) == Self.passedOn)
    }

    @Test func `the first token closes the server`() async throws {
        let store = InMemoryServiceTokenStore()
        let tokens = try ServiceTokens(store)
        let connection = try taught(TestServer.environment(authentication: Authentication(serviceTokens: tokens)))
        #expect(try connection.send(Self.get) == Self.atOnce())
        try await store.add(TestToken.admin.stored)
        try tokens.refresh()
        #expect(try connection.send(Self.get) == Self.passedOn)
    }

    @Test func `a catalog that is swapped answers the next request`() throws {
        let catalog = LiveCatalog(try SampleApp.catalog())
        let connection = try taught(TestServer.environment(catalog: catalog))
        #expect(try connection.send(Self.get) == Self.atOnce())
        catalog.replace(with: try TestServer.Circumstance.prefixed.catalog())
        // The origin is another's now.
        #expect(try connection.send(Self.get) == .init(answered: [404]))
        catalog.refuse("It is broken.")
        #expect(try connection.send(Self.get) == .init(answered: [404]))
    }

    @Test func `a user's level counts from the next request on`() async throws {
        let store = InMemoryUserStateStore()
        let connection = try taught(TestServer.environment(store: store))
        let settings = Self.get.replacing("onboarding", with: "settings")
        #expect(try connection.send(settings) == .init(answered: [403]))
        let write = UserStateWrite(
            id: try #require(UserID("ada")),
            grant: try #require(LevelGrant(level: .premiumUser)),
            time: TestServer.now,
            author: "test"
        )
        _ = try await store.save(write)
        #expect(try connection.send(settings) == Self.atOnce())
    }

    // MARK: Limits

    @Test func `a server that stops answers the plain way, which ends the connection`() throws {
        let environment = try TestServer.environment()
        let connection = try taught(environment)
        environment.load.drain()
        #expect(try connection.send(Self.get) == Self.passedOn)
    }

    @Test func `a connection that is to end answers nothing more`() throws {
        let connection = try taught()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try connection.send(Self.get) == .init())
    }

    @Test func `while the client takes no answers, requests wait for the plain way`() throws {
        let connection = try taught()
        connection.channel.isWritable = false
        #expect(try connection.send(Self.get) == Self.passedOn)
        connection.channel.isWritable = true
        try connection.answer()
        #expect(try connection.send(Self.get) == Self.atOnce())
    }

    @Test func `a server with too much to do says so`() throws {
        let environment = try TestServer.environment(.overloaded)
        let connection = try taught(environment)
        #expect(try connection.send(Self.get) == .init(answered: [503]))
        #expect(environment.load.openRequestCount == 0)
    }

    @Test func `a store that fails is left to the plain way, which logs it`() throws {
        let environment = try TestServer.environment(.brokenStore)
        let connection = try taught(environment)
        #expect(try connection.send(Self.get) == Self.passedOn)
        #expect(environment.load.openRequestCount == 1)
        try connection.answer()
        #expect(environment.load.openRequestCount == 0)
    }
}
