import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of requests whose `Host` has a port: that of https is none, and a listed one belongs to the host everywhere.
@Suite struct HostPortTests {
    private static let catalog = """
        version: 1
        origins:
          - { scheme: https, hosts: ["shop.example:8443", shop.example] }
          - { scheme: https, hosts: ["go.example:8443", go.example], shortLinks: true }
          - { scheme: https, hosts: ["*.sub.example:8443"], authority: segment, pathPrefix: /of }
          - { scheme: shop, authority: segment }
        apps:
          ios: [{ appID: ABCDE12345.com.example.shop, storeID: 123456789, scheme: shop }]
          android: [{ package: com.example.shop, fingerprints: ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"] }]
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push, offer: push, post: push } }
          product: { path: "product/{id}", parameters: { id: int }, web: { title: Product } }
          offer: { path: "offer/{id}", parameters: { id: int }, signed: true }
          post: { path: "{site}/post/{id}", parameters: { id: int } }
        """

    private static let files = [
        "/.well-known/apple-app-site-association", "/apple-app-site-association", "/.well-known/assetlinks.json",
    ]

    private static let asResolver = "Authorization: Bearer \(TestToken.resolver.text)\r\n"
    private static let asAdmin = "Authorization: Bearer \(TestToken.admin.text)\r\n"

    private func serving(_ body: @Sendable @escaping (_ port: Int) async throws -> Void) async throws {
        let catalog = try CatalogLoader.load(Array(Self.catalog.utf8), file: "ports")
        let service = try TestServer.service(
            .shortLinks,
            catalog: LiveCatalog(catalog),
            consoleHosts: ["shop.example:443"]
        )
        try await TestServer.application(service).whileServing(body)
    }

    private func get(_ path: String, _ host: String, _ fields: String = "", port: Int) async throws -> RawResponse {
        let text = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
        return try await RawConnection(port: port).exchange(Array(text.utf8))
    }

    private func post(_ path: String, _ body: String, port: Int) async throws -> RawResponse {
        let text =
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(Self.asAdmin)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return try await RawConnection(port: port).exchange(Array(text.utf8))
    }

    private func member(_ name: String, of response: RawResponse) throws -> String {
        guard case .object(let members) = try JSONParser.parse(response.body),
            case .string(let text)? = members[name.bytewise]
        else {
            Issue.record("`\(name)` is missing: \(response.text)")
            return ""
        }
        return text
    }

    @Test(arguments: ["shop.example:443", "shop.example:0443", "shop.example:", "SHOP.example:443"])
    func `a host with the port of https is answered as the host without it`(_ spelling: String) async throws {
        try await serving { port in
            let requests =
                Self.files.map { ($0, "") } + [
                    ("/product/5", "Accept: text/html\r\n"),
                    ("/product/5", "Accept: application/json\r\n" + Self.asResolver),
                    ("/product/x", "Accept: text/html\r\n"),
                    ("/nowhere", "Accept: application/json\r\n" + Self.asResolver),
                    ("/robots.txt", ""), ("/console", "Accept: text/html\r\n"), ("/", "Accept: text/html\r\n"),
                ]
            for (path, fields) in requests {
                func lines(_ host: String) async throws -> [String] {
                    let response = try await get(path, host, fields, port: port)
                    return response.head.filter { !$0.hasPrefix("Date: ") && !$0.hasPrefix("X-Request-Id: ") }
                        + [response.text]
                }
                let plain = try await lines("shop.example")
                #expect(try await lines(spelling) == plain, "\(path)")
                #expect(
                    plain[0].hasSuffix(path.hasPrefix("/nowhere") || path == "/product/x" ? "" : "200 OK"),
                    "\(plain)"
                )
            }
        }
    }

    @Test func `a host of short links with the port of https is the host without it`() async throws {
        try await serving { port in
            let made = try await post(
                "/v1/short-links/spring",
                #"{"link":"https://shop.example:8443/product/5","host":"GO.example:443"}"#,
                port: port
            )
            #expect(made.status == 201)
            #expect(try member("link", of: made) == "https://go.example/spring")
            for host in ["go.example", "go.example:443"] {
                let page = try await get("/spring", host, "Accept: text/html\r\n", port: port)
                #expect(page.status == 200 && page.text.contains("https://go.example/spring\""), "\(page.text)")
                #expect(try await get(Self.files[0], host, port: port).status == 200)
            }
        }
    }

    @Test func `a listed port is in all that a page of its host leads to`() async throws {
        try await serving { port in
            for file in Self.files {
                let own = try await get(file, "shop.example:8443", port: port)
                #expect(own.status == 200)
                #expect(own.text == (try await get(file, "shop.example", port: port)).text)
            }
            let page = try await get(
                "/product/5",
                "shop.example:8443",
                "Accept: text/html\r\nUser-Agent: Mozilla/5.0 (Linux; Android 15)\r\n",
                port: port
            )
            #expect(page.status == 200)
            for part in [
                #"<meta property="og:url" content="https://shop.example:8443/product/5">"#,
                "intent://shop.example:8443/product/5#Intent;scheme=https;",
                "waymark%3Dhttps%253A%252F%252Fshop.example%253A8443%252Fproduct%252F5",
                "app-argument=https://shop.example:8443/product/5", "shop://product/5",
            ] {
                #expect(page.text.contains(part), "\(part)")
            }
        }
    }

    @Test func `a link with a listed port is signed, and its signature holds`() async throws {
        try await serving { port in
            let built = try await post("/v1/links", #"{"route":"offer","parameters":{"id":7},"sign":true}"#, port: port)
            let link = try member("link", of: built)
            let start = "https://shop.example:8443"
            #expect(link.hasPrefix("\(start)/offer/7?sig=k2."))
            // A signature covers what follows the host: it holds on each host.
            for host in ["shop.example:8443", "shop.example", "shop.example:443"] {
                let answer = try await get(
                    String(link.dropFirst(start.count)),
                    host,
                    "Accept: application/json\r\n" + Self.asResolver,
                    port: port
                )
                #expect(answer.status == 200, "\(answer.text)")
                let canonical = try member("canonicalLink", of: answer)
                #expect(canonical == "https://\(host == "shop.example:443" ? "shop.example" : host)/offer/7")
            }
            let wrong = try await get(
                "/offer/8" + link.dropFirst(start.count + "/offer/7".count),
                "shop.example:8443",
                Self.asResolver,
                port: port
            )
            #expect(try member("reason", of: wrong) == "wrong")
        }
    }

    @Test func `a short link has the port of its host`() async throws {
        try await serving { port in
            let made = try await post(
                "/v1/short-links",
                #"{"link":"https://shop.example:8443/product/5","host":"go.example:8443"}"#,
                port: port
            )
            let link = try member("link", of: made)
            #expect(link.hasPrefix("https://go.example:8443/"))
            #expect(try member("target", of: made) == "https://shop.example:8443/product/5")
            let path = String(link.dropFirst("https://go.example:8443".count))
            let page = try await get(path, "go.example:8443", "Accept: text/html\r\n", port: port)
            #expect(page.status == 200 && page.text.contains(#"content="\#(link)""#), "\(page.text)")
            let plan = try await get(
                path,
                "go.example:8443",
                "Accept: application/json\r\n" + Self.asResolver,
                port: port
            )
            #expect(try member("link", of: plan) == link)
        }
    }

    @Test(arguments: ["ios", "android"])
    func `phones open the links of hosts with a port`(_ platform: String) async throws {
        try await serving { port in
            for (link, opens) in [
                ("https://shop.example:8443/product/5", true), ("https://shop.example:443/product/5", true),
                ("https://shop.example/product/5", true), ("https://go.example:8443/spring", true),
                ("https://ann.sub.example:8443/of/post/3", true), ("https://shop.example:8443/console", false),
                // The file of a host is at its port.
                ("https://ann.sub.example/of/post/3", false),
            ] {
                let body = #"{"url":"\#(link)","platform":"\#(platform)"}"#
                let answer = try await post("/v1/associations/test", body, port: port)
                #expect(answer.status == 200)
                #expect(answer.text.hasPrefix(#"{"opens":\#(opens),"#), "\(link): \(answer.text)")
            }
        }
    }
}
