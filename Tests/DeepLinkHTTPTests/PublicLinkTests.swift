import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of public links on servers that need tokens: their pages are public documents.
@Suite struct PublicLinkTests {
    private static let browser = "Accept: text/html\r\n"

    /// A catalog whose pages may be kept, with a bot and an icon of its own.
    private static let own = """
        version: 1
        origins: [{ scheme: https, hosts: [links.example.com] }]
        web: { name: Shop, hosts: [www.example.com], maxAge: 300, previewBots: [ExampleBot], icon: "https://www.example.com/i.png" }
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push, sale: push, offer: push } }
          product: { path: "p/{id}", parameters: { id: int } }
          sale: { web: { fallback: { desktop: "https://www.example.com/sale" } } }
          offer: { signed: true }
        """

    private func answers(_ service: TestService, _ requests: [String]) async throws -> [RawResponse] {
        try await TestServer.application(service)
            .whileServing { port in
                var responses: [RawResponse] = []
                for request in requests {
                    let text =
                        request.replacing("HTTP/1.1\r\n", with: "HTTP/1.1\r\nHost: links.example.com\r\n") + "\r\n"
                    let isHead = request.hasPrefix("HEAD")
                    responses.append(try await RawConnection(port: port).exchange(Array(text.utf8), isHead: isHead))
                }
                return responses
            }
    }

    private func get(_ path: String, _ fields: String) -> String { "GET \(path) HTTP/1.1\r\n\(fields)" }

    private func ownService() throws -> TestService {
        let catalog = try CatalogLoader.load(Array(Self.own.utf8), file: "own.yaml")
        return try TestServer.service(.linkDomain, catalog: LiveCatalog(catalog))
    }

    @Test func `a browser that asks for too many pages reads that it may come back`() async throws {
        let limits = CallerLimits(rate: nil, addressRate: 1, pageRate: 2)
        let service = try TestServer.service(.linkDomain, callerLimits: limits)
        let request = get("/p/5", Self.browser + "Accept-Language: de\r\n")
        let answers = try await answers(service, Array(repeating: request, count: 4))
        #expect(answers.map(\.status) == [200, 200, 429, 429])
        for answer in answers.suffix(2) {
            #expect(answer.head.contains("Retry-After: 1") && answer.head.contains("Cache-Control: no-store"))
            #expect(answer.head.contains("Content-Type: text/html; charset=utf-8"))
            #expect(answer.text.contains("<title>Einen Moment bitte</title>"))
        }
        // A program of that address is counted by its own limit.
        let json = "Accept: application/json\r\nAuthorization: Bearer \(TestToken.resolver.text)\r\n"
        #expect(try await self.answers(service, [get("/p/5", json)]).map(\.status) == [200])
    }

    @Test func `anonymous callers have the limit of pages for pages, and theirs for plans`() async throws {
        let limits = CallerLimits(rate: nil, addressRate: 1, pageRate: 5)
        let catalog = LiveCatalog(try Example.catalog("link-domain"))
        let service = try TestServer.service(.anonymous, catalog: catalog, callerLimits: limits)
        let requests = Array(repeating: get("/p/5", Self.browser), count: 5) + [get("/c/books", Self.browser)]
        let answers = try await answers(service, requests + Array(repeating: get("/p/5", "Accept: */*\r\n"), count: 2))
        #expect(answers.map(\.status) == [200, 200, 200, 200, 200, 429, 200, 429])
        #expect(answers.map { $0.text.hasPrefix("<!DOCTYPE") } == [true, true, true, true, true, true, false, false])
    }

    @Test(arguments: [
        ("Accept: */*\r\n", 200), ("Accept: image/avif, */*;q=0.8\r\n", 200),
        ("Accept: */*\r\nUser-Agent: UptimeRobot/2.0\r\n", 200),
        // A client that asks for JSON, has no Accept, names a user or has credentials is a program.
        ("Accept: application/json\r\n", 401), ("", 401), ("Accept: application/json, */*\r\n", 401),
        ("Accept: */*\r\nWaymark-User: ada\r\n", 401), ("Accept: */*\r\nAuthorization: Basic eDp5\r\n", 401),
        ("Accept: */*;q=0, text/plain\r\n", 406),
    ])
    func `who would be refused and takes anything gets the page`(_ fields: String, _ status: Int) async throws {
        let answers = try await answers(try TestServer.service(.linkDomain), [get("/p/5", fields)])
        #expect(answers.map(\.status) == [status])
        #expect(answers[0].text.hasPrefix("<!DOCTYPE html>") == (status == 200))
    }

    @Test func `a stranger is not redirected, and gets no plan of other paths`() async throws {
        let answers = try await answers(
            try TestServer.service(.linkDomain),
            [
                get("/c/books", "Accept: */*\r\n"), get("/v1/catalog", "Accept: */*\r\n"),
                get("/nope", "Accept: */*\r\n"),
            ]
        )
        #expect(answers.map(\.status) == [200, 401, 404])
    }

    @Test
    func `an open server answers a program's question with the plan, and strangers through a proxy with the page`()
        async throws
    {
        let answers = try await answers(
            try TestServer.service(.openLinkDomain),
            [get("/p/5", "Accept: */*\r\n"), get("/p/5", "Accept: */*\r\nX-Forwarded-For: 9.9.9.9\r\n")]
        )
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.map { $0.text.hasPrefix("{") } == [true, false])
    }

    @Test func `caches may keep pages as long as the catalog says, and nothing else`() async throws {
        let program = "Accept: application/json\r\nAuthorization: Bearer \(TestToken.resolver.text)\r\n"
        let answers = try await answers(
            try ownService(),
            [
                get("/p/5", Self.browser), get("/nope", Self.browser), get("/sale", Self.browser), get("/p/5", program),
                get("/offer", Self.browser), get("/sale", Self.browser + "User-Agent: x Android\r\n"),
            ]
        )
        #expect(answers.map(\.status) == [200, 404, 302, 200, 404, 200])
        let kept = answers.map { answer in answer.head.first { $0.hasPrefix("Cache-Control: ") } }
        let (page, none) = ("Cache-Control: public, max-age=300", "Cache-Control: no-store")
        #expect(kept == [page, none, none, none, none, page])
    }

    @Test func `a catalog names further bots, and its icon`() async throws {
        let bot = "User-Agent: Mozilla/5.0 (compatible; exampleBOT/1.0)\r\n"
        let answers = try await answers(
            try ownService(),
            [
                get("/sale", Self.browser + bot), get("/sale", Self.browser), get("/favicon.ico", "Accept: */*\r\n"),
                get("/favicon.ico", Self.browser),
            ]
        )
        #expect(answers.map(\.status) == [200, 302, 302, 302])
        #expect(answers[2].head.contains("Location: https://www.example.com/i.png"))
        #expect(answers[2].head.contains("Content-Length: 0"))
        #expect(answers[0].head.contains { $0.contains("; img-src https://www.example.com/i.png; base-uri") })
    }

    // MARK: Counts

    @Test func `answers to visitors are counted apart from resolutions`() async throws {
        let bot = "Accept: */*\r\nUser-Agent: Twitterbot/1.0\r\n"
        let admin = "Authorization: Bearer \(TestToken.admin.text)\r\n"
        let answers = try await answers(
            try TestServer.service(.linkDomain),
            [
                get("/p/5", Self.browser), get("/p/6", Self.browser), get("/p/5", bot), get("/c/books", Self.browser),
                get("/p/nope", Self.browser), get("/p/nope", bot), "HEAD /p/5 HTTP/1.1\r\n\(Self.browser)",
                get("/p/5", "Accept: application/json\r\n" + admin), get("/v1/report", admin), get("/metrics", admin),
            ]
        )
        let report = answers[8].text
        #expect(report.contains(#""total":{"resolved":1,"gated":0,"failed":0"#))
        #expect(report.contains(#""pages":{"total":{"page":2,"preview":1,"redirected":1,"unknown":2,"routes":["#))
        #expect(report.contains(#""lastHour":{"page":2,"preview":1,"redirected":1,"unknown":2"#))
        #expect(report.contains(#","page":2,"preview":1,"redirected":0}"#))
        #expect(
            report.contains(##""unmatched":{"total":2,"links":[{"link":"https://links.example.com/p/…","count":2"##)
        )
        for line in [
            #"outcome="page",route="product"} 2"#, #"outcome="preview",route="product"} 1"#,
            #"outcome="redirected",route="category"} 1"#, #"outcome="unknown",route=""} 2"#,
        ] {
            #expect(answers[9].text.contains("waymark_pages_total{\(line)"), "\(line)")
        }
    }

    @Test func `arrivals are counted by their way, and change no answer`() async throws {
        let admin = "Authorization: Bearer \(TestToken.admin.text)\r\n"
        let target = "/v1/resolve?link=https%3A%2F%2Flinks.example.com%2Fp%2F5"
        let answers = try await answers(
            try TestServer.service(.linkDomain),
            [
                get(target, admin), get("\(target)&arrival=referrer", admin), get("\(target)&arrival=banner", admin),
                get("\(target)&arrival=mail", admin), get("/metrics", admin),
            ]
        )
        #expect(answers.map(\.status) == [200, 200, 200, 400, 200])
        #expect(answers[0].text == answers[1].text && answers[0].text == answers[2].text)
        #expect(answers[3].text.contains(#""field":"arrival""#))
        for (via, count) in [("referrer", 1), ("pasted", 0), ("banner", 1)] {
            #expect(answers[4].text.contains("waymark_arrivals_total{via=\"\(via)\"} \(count)"), "\(via)")
        }
    }

    @Test func `the guide names every preview bot that is known`() throws {
        let guide = String(decoding: try Checkout.bytes("docs/guides/links/universal-links.md"), as: UTF8.self)
        for name in PreviewBots.standardNames { #expect(guide.contains("`\(name)`"), "\(name)") }
    }
}
