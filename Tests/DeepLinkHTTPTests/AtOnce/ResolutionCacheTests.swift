import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import NIOCore
import NIOEmbedded
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the links that are kept, whose answers must be those of a server that keeps none.
@Suite struct ResolutionCacheTests {
    private static let links = [
        "navigation:/onboarding", "navigation://loremipsum.com/characters/character/1?sheet=test",
        "navigation:/characters/character/7", "NAVIGATION:/characters/character/7", "navigation:/settings/profile",
        "navigation:/characters/character/x", "navigation:/nowhere", "navigation:/a%zz", "other://elsewhere/",
        "https://loremipsum.com/episodes/episode/3?utm_source=mail#top", "navigation:/episodes/episode/3",
    ]

    private static let levels = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]
    private static let terms = [
        "", "", "", "", "&explain=true", "&partial=true", "&mode=append&from=navigation:/characters",
    ]

    /// Returns a request for a link at a level: by query, by body, or as a web link of nobody.
    private static func request(_ generator: inout SeededGenerator) -> [UInt8] {
        let (link, level) = (generator.pick(links), generator.pick(levels))
        let encoded = link.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let body = #"{"link":"\#(link)","level":"\#(level)"}"#
            return Array(
                ("POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                    .utf8
            )
        case 1:
            let path = generator.pick(["/onboarding", "/characters/character/7", "/nowhere", "/settings/profile?a=b"])
            return Array("GET \(path) HTTP/1.1\r\nHost: loremipsum.com\r\n\r\n".utf8)
        default:
            let target = "/v1/resolve?link=\(encoded)&level=\(level)\(generator.pick(terms))"
            return Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        }
    }

    private static func answer(to request: [UInt8], by connection: EmbeddedConnection) throws -> ReceivedResponse {
        var bytes = ArraySlice(try connection.sendAll(request).text.utf8)
        return try #require(ReceivedResponse(&bytes, isHead: false))
    }

    @Test(arguments: 0..<4) func `a kept link has the answer of a new one`(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let keeping = try EmbeddedConnection(TestServer.service())
        for _ in 0..<max(Effort.part(of: 4_000), 200) {
            let request = Self.request(&generator)
            let new = try Self.answer(to: request, by: EmbeddedConnection(TestServer.service()))
            #expect(try Self.answer(to: request, by: keeping) == new)
        }
    }

    @Test func `another catalog makes every kept answer void`() throws {
        let text = "version: 1\norigins: [{ scheme: x }]\nentry: { a: root }\nroutes: { a: { aliases: [b] } }\n"
        let first = try CatalogLoader.load(Array(text.utf8), file: "first")
        let live = LiveCatalog(first)
        let connection = try EmbeddedConnection(TestServer.service(catalog: live))
        let request = Array("GET /v1/resolve?link=x:/a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        for _ in 0..<3 {
            #expect(
                String(decoding: try Self.answer(to: request, by: connection).body, as: UTF8.self)
                    .contains(first.version)
            )
        }
        let second = try CatalogLoader.load(Array((text + "# Another.\n").utf8), file: "second")
        live.replace(with: second)
        for _ in 0..<3 {
            #expect(
                String(decoding: try Self.answer(to: request, by: connection).body, as: UTF8.self)
                    .contains(second.version)
            )
        }
    }

    @Test func `each denial of a kept link has a continuation of its own`() throws {
        let connection = try EmbeddedConnection(TestServer.service())
        let link = "navigation:/settings/profile"
        let request = Array("GET /v1/resolve?link=\(link)&level=none HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        var tokens: Set<String> = []
        for _ in 0..<5 {
            let text = try connection.sendAll(request).text
            let token = String(try #require(text.firstMatch(of: /"continuation":"([^"]+)"\}$/)).1)
            tokens.insert(token)
            let continuation = try Continuation(token, verifiedBy: [try #require(HMACKey(TestServer.key))])
            #expect(continuation.request.link.text == link)
        }
        #expect(tokens.count == 5)
    }

    // MARK: The memory

    private static func request(_ link: String) throws -> ResolutionRequest {
        ResolutionRequest(link: try DeepLink(link))
    }

    private static func isKnown(_ link: String, in recent: ResolutionCache, by catalog: RouteCatalog) -> Bool {
        if case .known = recent.find(link.utf8Span.span, in: catalog) { true } else { false }
    }

    private static func keep(_ link: String, in recent: ResolutionCache, json: [UInt8] = [], by catalog: RouteCatalog)
        throws
    {
        let request = try request(link)
        guard case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: catalog) else { return }
        let answer = LastingAnswer(
            .resolved(LinkEvent.Resolved(plan)),
            json: json,
            for: Permissions(level: .premiumUser),
            from: nil
        )
        recent.keep(answer, to: request, in: catalog)
    }

    @Test func `a link is worth keeping when it comes again`() throws {
        let (recent, catalog) = (ResolutionCache(), try SampleApp.catalog())
        let link = Array("navigation:/onboarding".utf8)
        guard case .new = recent.find(link.span, in: catalog), case .again = recent.find(link.span, in: catalog) else {
            Issue.record("A link is new once.")
            return
        }
        // Another catalog begins anew.
        guard case .new = recent.find(link.span, in: try Example.catalog("inventory")) else {
            Issue.record("A link is remembered beyond its catalog.")
            return
        }
    }

    @Test func `long links and long answers are not kept`() throws {
        let (recent, catalog) = (ResolutionCache(), try SampleApp.catalog())
        let long = "navigation:/onboarding?x=" + String(repeating: "x", count: 512)
        for _ in 0..<3 { #expect(!Self.isKnown(long, in: recent, by: catalog)) }
        let short = "navigation:/onboarding"
        try Self.keep(short, in: recent, json: Array(repeating: 0x20, count: 2049), by: catalog)
        #expect(!Self.isKnown(short, in: recent, by: catalog))
        for _ in 0..<2 { try Self.keep(short, in: recent, by: catalog) }
        #expect(Self.isKnown(short, in: recent, by: catalog))
    }

    @Test func `so many links are kept, and no more`() throws {
        let (recent, catalog) = (ResolutionCache(), try SampleApp.catalog())
        let links = (0..<10_000).map { "navigation:/characters/character/\($0)" }
        for link in links {
            for _ in 0..<3 { _ = recent.find(link.utf8Span.span, in: catalog) }
            try Self.keep(link, in: recent, by: catalog)
        }
        let count = links.count { Self.isKnown($0, in: recent, by: catalog) }
        #expect((1_800...2_048).contains(count), "\(count) links are kept.")
    }
}
