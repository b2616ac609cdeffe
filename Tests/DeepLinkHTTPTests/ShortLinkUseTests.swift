import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of codes in use: gates, signatures, ends, pages, and callers of all roles.
@Suite struct ShortLinkUseTests {
    /// The moment that a server's clock shows.
    private final class Clock: Sendable {
        private let shown = Mutex(TestServer.now)

        var time: Timestamp { shown.withLock(\.self) }

        func pass(seconds: Int64) {
            shown.withLock {
                $0 = Timestamp(millisecondsSinceEpoch: $0.millisecondsSinceEpoch + seconds * 1000)
            }
        }
    }

    /// Short links on a server with apps, kept pairs and a route that redirects.
    private struct Server {
        let connection: RawConnection
        let catalog: RouteCatalog
        let clock: Clock

        func send(
            _ method: String,
            _ path: String,
            _ body: String? = nil,
            as token: TestToken? = .publisher,
            host: String = "localhost",
            fields: String = ""
        ) async throws -> (status: Int, text: String, location: String?) {
            var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)"
            if let token { text += "Authorization: Bearer \(token.text)\r\n" }
            if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
            let answer = try await connection.exchange(Array((text + "\r\n" + (body ?? "")).utf8), isHead: false)
            return (answer.status, answer.text, answer.header("location"))
        }

        /// Makes a link with a code, and returns its body.
        func make(_ code: String, _ members: String, as token: TestToken = .publisher) async throws -> String {
            let made = try await send("POST", "/v1/short-links/\(code)", "{\(members)}", as: token)
            #expect(made.status == 201, "\(made.text)")
            return made.text
        }

        func resolve(_ code: String, as token: TestToken = .resolver) async throws -> (status: Int, text: String) {
            let answer = try await send("GET", "/v1/resolve?link=https%3A%2F%2Fgo.example%2F\(code)", as: token)
            return (answer.status, answer.text)
        }

        /// Asks for the page of a code, as a browser or as the maker of a preview.
        func page(
            _ path: String,
            agent: String = ShortLinkUseTests.browser
        ) async throws -> (status: Int, text: String, location: String?) {
            try await send(
                "GET",
                path,
                as: nil,
                host: "go.example",
                fields: "Accept: text/html\r\nUser-Agent: \(agent)\r\n"
            )
        }
    }

    private static let browser = """
        Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 \
        Mobile/15E148 Safari/604.1
        """

    private func withServer(_ body: (Server) async throws -> Void) async throws {
        let text = TestServer.shortLinks
            .replacing(
                "web: { fallback: \"https://www.shop.example/\", hosts: [www.shop.example] }",
                with: """
                    web: { fallback: "https://www.shop.example/", hosts: [www.shop.example], keep: [utm_source] }
                    apps: { ios: [{ appID: ABCDE12345.com.example.shop, storeID: 123456789, scheme: shop }] }
                    """
            )
            .replacing("account: sheet }", with: "account: sheet, go: push }")
            .replacing("routes:\n", with: "routes:\n  go: { link: to }\n")
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "short links")
        let clock = Clock()
        let service = try TestServer.service(.shortLinks, catalog: LiveCatalog(catalog), now: { clock.time })
        try await TestServer.application(service)
            .whileServing { port in
                try await body(Server(connection: try RawConnection(port: port), catalog: catalog, clock: clock))
            }
    }

    // MARK: Gates and signatures

    @Test func `a gated code is redeemed, and leads to its target`() async throws {
        try await withServer { server in
            _ = try await server.make("mine", #""link":"https://shop.example/account""#)
            let refusal = try await server.send(
                "POST",
                "/v1/resolve",
                #"{"link":"https://go.example/mine","user":"ada"}"#,
                as: .resolver
            )
            #expect(refusal.status == 403, "\(refusal.text)")
            let token = try #require(refusal.text.firstMatch(of: /"continuation":("[^"]+")/)).1
            let level = try await server.send(
                "POST",
                "/v1/users/ada",
                #"{"authorizationLevel":"signedInUser"}"#,
                as: .admin
            )
            #expect(level.status == 201)
            let body = #"{"token":\#(token),"user":"ada"}"#
            let granted = try await server.send("POST", "/v1/continuations", body, as: .resolver)
            #expect(granted.status == 200, "\(granted.text)")
            #expect(
                granted.text.contains(
                    #"{"link":"https://go.example/mine","canonicalLink":"https://shop.example/account""#
                )
            )
            // For its own user, the present target counts.
            _ = try await server.send("POST", "/v1/short-links/mine", #"{"link":"https://shop.example/product/5"}"#)
            let again = try await server.send("POST", "/v1/continuations", body, as: .resolver)
            #expect(again.status == 200 && again.text.contains("https://shop.example/product/5"), "\(again.text)")
            // Once the code leads nowhere, it does so for continuations too.
            #expect(try await server.send("DELETE", "/v1/short-links/mine").status == 204)
            let gone = try await server.send("POST", "/v1/continuations", body, as: .resolver)
            #expect(gone.status == 404 && gone.text.contains("unknown-short-link"), "\(gone.text)")
            #expect(!gone.text.contains("state"), "\(gone.text)")
        }
    }

    @Test func `a link made from a code ends with it, whether or not it is signed`() async throws {
        try await withServer { server in
            let end = Timestamp(millisecondsSinceEpoch: TestServer.now.millisecondsSinceEpoch + 60_000)
            let later = Timestamp(millisecondsSinceEpoch: end.millisecondsSinceEpoch + 1000)
            let expires = #""expires":"\#(end.rfc3339)""#
            let made = try await server.make(
                "gift-for-ada-2026",
                #""link":"https://shop.example/gift/ada",\#(expires)"#,
                as: .admin
            )
            #expect(made.contains(expires), "\(made)")
            _ = try await server.make("product", #""link":"https://shop.example/product/5",\#(expires)"#)
            for (origin, copy) in [("gift-for-ada-2026", "copied-gift-of-ada"), ("product", "copied-product")] {
                let link = #""link":"https://go.example/\#(origin)""#
                #expect(try await server.make(copy, link).contains(expires))
                #expect(try await server.make(copy + "-2", link.replacing(origin, with: copy)).contains(expires))
                let body = #"{\#(link),"expires":"\#(later.rfc3339)"}"#
                let late = try await server.send("POST", "/v1/short-links/\(copy)-3", body)
                #expect(late.status == 400 && late.text.contains(#""field":"expires""#), "\(late.text)")
            }
            server.clock.pass(seconds: 61)
            for code in ["copied-gift-of-ada", "copied-gift-of-ada-2", "copied-product", "copied-product-2"] {
                #expect(try await server.resolve(code).status == 404, "\(code)")
            }
        }
    }

    @Test func `a name answers nobody who could guess whom its link is about`() async throws {
        try await withServer { server in
            let body = #"{"link":"https://shop.example/product/5","name":"n","about":"ada"}"#
            let path = "/v1/short-links"
            #expect(try await server.send("POST", path, body, as: .admin).status == 201)
            #expect(try await server.send("POST", path, body, as: .admin).status == 200)
            for about in ["ada", "bob"] {
                let guess = try await server.send("POST", path, body.replacing("ada", with: about))
                #expect(guess.status == 200 && !guess.text.contains("about"), "\(guess.text)")
                let other = try await server.send(
                    "POST",
                    path,
                    body.replacing("ada", with: about).replacing("product/5", with: "product/6")
                )
                #expect(other.status == 409 && other.text.contains("name-taken"), "\(other.text)")
            }
            // Its maker may send it again.
            let own = body.replacing(#""n""#, with: #""own""#)
            #expect(try await server.send("POST", path, own).status == 201)
            #expect(try await server.send("POST", path, own).status == 200)
            #expect(try await server.send("POST", path, own.replacing("ada", with: "bob")).status == 409)
            let marker = try await server.send("POST", path, #"{"link":"https://shop.example/product/5","label":"…"}"#)
            #expect(marker.status == 400 && marker.text.contains(#""field":"label""#), "\(marker.text)")
        }
    }

    @Test func `a code stands for a signature until that ends`() async throws {
        try await withServer { server in
            let keys = LinkSigningKeys(TestServer.signingKeys)
            let expiry = Timestamp(millisecondsSinceEpoch: TestServer.now.millisecondsSinceEpoch + 60_000)
            let link = "https://shop.example/gift/ada"
            let signed = try #require(keys.sign(link, leadingInto: server.catalog, expiry: expiry))
            let short = try await server.send("POST", "/v1/short-links/short", #"{"link":"\#(signed)"}"#)
            #expect(short.status == 400 && short.text.contains("at least 16 characters"), "\(short.text)")
            let made = try await server.make("gift-for-ada-2026", #""link":"\#(signed)""#)
            #expect(made.contains(#""target":"https://shop.example/gift/ada""#), "\(made)")
            #expect(made.contains(#""expires":"\#(expiry.rfc3339)""#), "\(made)")
            #expect(!made.contains("sig") && !made.contains("exp="), "\(made)")
            let answer = try await server.resolve("gift-for-ada-2026")
            #expect(answer.status == 200 && !answer.text.contains("sig="), "\(answer.text)")
            // The address alone is still refused, and so is the code of a link that is made from it.
            let address = try await server.send("GET", "/v1/resolve?link=https%3A%2F%2Fshop.example%2Fgift%2Fada")
            #expect(address.status == 403)
            let page = try await server.page("/gift-for-ada-2026")
            #expect(page.status == 200 && page.text.contains("https://go.example/gift-for-ada-2026"), "\(page.text)")
            #expect(!page.text.contains("shop.example/gift"), "\(page.text)")
            let late = try await server.send(
                "POST",
                "/v1/short-links/gift-for-ada-2027",
                #"{"link":"\#(signed)","expires":"2030-01-01T00:00:00Z"}"#
            )
            #expect(late.status == 400 && late.text.contains(#""field":"expires""#), "\(late.text)")
            server.clock.pass(seconds: 61)
            #expect(try await server.resolve("gift-for-ada-2026").status == 404)
        }
    }

    // MARK: What strangers learn

    @Test func `ended, withdrawn and unknown codes are alike to strangers, and not to publishers`() async throws {
        try await withServer { server in
            let end = Timestamp(millisecondsSinceEpoch: TestServer.now.millisecondsSinceEpoch + 5000)
            let product = #""link":"https://shop.example/product/5""#
            _ = try await server.make("ended", product + #","expires":"\#(end.rfc3339)""#)
            _ = try await server.make("withdrawn", product)
            #expect(try await server.send("DELETE", "/v1/short-links/withdrawn").status == 204)
            #expect(try await server.resolve("ended").status == 200)
            server.clock.pass(seconds: 6)
            let unknown = try await server.resolve("unknown")
            #expect(unknown.status == 404 && !unknown.text.contains("state"), "\(unknown.text)")
            for code in ["ended", "withdrawn"] {
                #expect(try await server.resolve(code) == unknown, "\(code)")
                let told = try await server.resolve(code, as: .publisher)
                let state = code == "ended" ? "expired" : code
                #expect(told.status == 404 && told.text.contains(#""state":"\#(state)""#), "\(told.text)")
                let page = try await server.page("/" + code)
                #expect(page.status == 302 && page.location == "https://www.shop.example/", "\(code)")
            }
            let listed = try await server.send("GET", "/v1/short-links?state=expired")
            #expect(listed.text.contains(#""code":"ended""#) && !listed.text.contains("withdrawn"), "\(listed.text)")
        }
    }

    @Test func `only admins see whom a link is about`() async throws {
        try await withServer { server in
            let body = #""link":"https://shop.example/product/5","about":"ada","label":"a""#
            let ofAdmin = try await server.make("of-ada", body, as: .admin)
            #expect(ofAdmin.contains(#""about":"ada""#), "\(ofAdmin)")
            let ofPublisher = try await server.make("of-bob", body)
            #expect(!ofPublisher.contains("about"), "\(ofPublisher)")
            for path in ["/v1/short-links/of-ada", "/v1/short-links", "/v1/short-links?label=a"] {
                #expect(try await !server.send("GET", path).text.contains("about"), "\(path)")
                #expect(try await server.send("GET", path, as: .admin).text.contains(#""about":"ada""#), "\(path)")
            }
        }
    }

    @Test func `a code of the server's is found in the letters that look alike, one of a caller's is not`() async throws
    {
        try await withServer { server in
            let made = try await server.send("POST", "/v1/short-links", #"{"link":"https://shop.example/offer/7"}"#)
            let code = String(try #require(made.text.firstMatch(of: /"code":"([a-z0-9]{16})"/)).1)
            let typed = code.uppercased().replacing("0", with: "O").replacing("1", with: "I")
            #expect(try await server.resolve(typed).status == 200, "\(typed)")
            #expect(try await server.resolve(typed.replacing("I", with: "l")).status == 200, "\(typed)")
            _ = try await server.make("l0l1", #""link":"https://shop.example/product/5""#)
            #expect(try await server.resolve("L0L1").status == 200)
            #expect(try await server.resolve("lolI").status == 404)
        }
    }

    // MARK: Ways of asking

    @Test func `an audience, a batch and an explanation follow a code`() async throws {
        try await withServer { server in
            _ = try await server.make("mine", #""link":"https://shop.example/account""#)
            let path = "/v1/audience?link=https%3A%2F%2Fgo.example%2Fmine"
            let audience = try await server.send("GET", path, as: .admin)
            #expect(audience.status == 200 && audience.text.contains("signedInUser"), "\(audience.text)")
            #expect(try await server.send("GET", path + "s", as: .admin).status == 404)
            let explained = try await server.send(
                "GET",
                "/v1/resolve?explain=true&link=https%3A%2F%2Fgo.example%2Fmine&level=signedInUser",
                as: .resolver
            )
            let step = try #require(explained.text.firstMatch(of: /"explanation":\[(\{[^}]*\})/)?.1)
            #expect(step.contains(#""segment":"https://shop.example/account""#), "\(step)")
            let places = explained.text.matches(of: /"offset":(\d+),"length":(\d+)/).map { "\($0.1) \($0.2)" }
            #expect(!places.isEmpty && places.allSatisfy { $0 == "19 4" }, "\(explained.text)")
        }
    }

    @Test func `a route that redirects leads to no code, which only requests follow`() async throws {
        try await withServer { server in
            _ = try await server.make("five", #""link":"https://shop.example/product/5""#)
            let inner = "https%253A%252F%252Fgo.example%252Ffive"
            let answer = try await server.send(
                "GET",
                "/v1/resolve?link=https%3A%2F%2Fshop.example%2Fgo%3Fto%3D\(inner)",
                as: .resolver
            )
            #expect(answer.status == 404 && answer.text.contains("unknown-short-link"), "\(answer.text)")
        }
    }

    // MARK: Pages

    @Test func `the https links of a page carry the code, and its button the target`() async throws {
        try await withServer { server in
            _ = try await server.make("five", #""link":"https://shop.example/product/5""#)
            let page = try await server.page("/five?utm_source=mail&stray=1")
            #expect(page.status == 200, "\(page.text)")
            #expect(page.text.contains(#"content="https://go.example/five""#), "\(page.text)")
            #expect(page.text.contains("app-argument=https://go.example/five?utm_source=mail"), "\(page.text)")
            #expect(page.text.contains("shop://product/5"), "\(page.text)")
            #expect(!page.text.contains("https://shop.example/product/5"), "\(page.text)")
            #expect(!page.text.contains("stray"), "\(page.text)")
            let preview = try await server.page("/five", agent: "WhatsApp/2.23")
            #expect(preview.status == 200 && preview.text.contains("Product"), "\(preview.text)")
        }
    }

    @Test func `no text of a sender is on a page`() async throws {
        try await withServer { server in
            let mark = "m4rk3d"
            _ = try await server.make(
                "five",
                #""link":"https://shop.example/product/5","label":"\#(mark)-l","name":"\#(mark)-n","about":"\#(mark)-a""#,
                as: .admin
            )
            for path in ["/five", "/FIVE?x=\(mark)", "/five?\(mark)", "/\(mark)", "/\(mark)/x"] {
                for agent in [Self.browser, "WhatsApp/2.23", "curl/8"] {
                    let page = try await server.page(path, agent: agent)
                    #expect(!page.text.contains(mark), "\(path) \(agent) \(page.text)")
                }
            }
        }
    }

    // MARK: Hostile bodies

    @Test(arguments: ["code", "label", "name", "host", "link", "route", "about", "expires"])
    func `texts of 2 KB, of odd characters and of other types are refused`(_ key: String) async throws {
        try await withServer { server in
            let long = String(repeating: "a", count: 2048)
            for value in ["\"\(long)\"", "\"\\u0000\"", "\"a\\nb\"", "\"<script>\"", "7", "[]", "{}", "true", "\"\""] {
                var members = [key: value]
                if !["link", "route"].contains(key) { members["link"] = "\"https://shop.example/product/5\"" }
                let body = members.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",")
                let answer = try await server.send("POST", "/v1/short-links", "{\(body)}", as: .admin)
                // Marks of HTML are as good a text as any other in a label, a name and an id.
                let isText = ["label", "name", "about"].contains(key) && value == "\"<script>\""
                #expect(isText ? answer.status == 201 : (400..<500).contains(answer.status), "\(body): \(answer.text)")
                #expect(answer.text.utf8.count < 3 * 2048, "\(key)")
            }
        }
    }

    @Test func `codes of any bytes are found or are not, and nothing else`() async throws {
        try await withServer { server in
            _ = try await server.make("five", #""link":"https://shop.example/product/5""#)
            let long = String(repeating: "a", count: 2048)
            for code in [
                long, "%00", "%2e%2e", "%20", "five%00", "five%20", "%C3%A9", "five;", "a", "..", "'%20OR%201=1",
            ] {
                let read = try await server.send("GET", "/v1/short-links/\(code)")
                #expect((400...404).contains(read.status), "\(code): \(read.text)")
                let followed = try await server.send("GET", "/v1/resolve?link=https%3A%2F%2Fgo.example%2F\(code)")
                #expect((400...404).contains(followed.status), "\(code): \(followed.text)")
            }
            #expect(try await server.resolve("%66ive").status == 200)
        }
    }

    @Test func `a target of 2 KB is kept whole`() async throws {
        try await withServer { server in
            let keys = LinkSigningKeys(TestServer.signingKeys)
            let link = "https://shop.example/gift/" + String(repeating: "a%20b", count: 500)
            let signed = try #require(keys.sign(link, leadingInto: server.catalog, expiry: nil))
            let made = try await server.make("gift-of-two-kilobytes", #""link":"\#(signed)""#)
            #expect(made.contains(#""target":"\#(link)""#), "\(made)")
            let answer = try await server.resolve("gift-of-two-kilobytes")
            #expect(answer.status == 200 && answer.text.contains(link), "\(answer.text)")
        }
    }
}
