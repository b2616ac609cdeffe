import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Foundation
import Testing
import WaymarkRuntime
import WaymarkTestSupport

/// The law of arrivals: from the page by the store or the copy button to the app, a link leads to the same stack.
@Suite struct ArrivalLawTests {
    /// The example, with a button that copies, a signed route, and routes whose links are carried, or not.
    private static func catalog() throws -> RouteCatalog {
        let text = String(decoding: try Checkout.bytes("Config/examples/link-domain.yaml"), as: UTF8.self)
            .replacing("scheme: shop }]", with: "scheme: shop, copy: true }]")
            .replacing("imprint: push", with: "imprint: push\n      secret: push\n      offer: push\n      gift: push")
        let more = """
              secret: { path: "s/{code}", web: { carry: false } }
              offer: { path: "o/{code}", signed: true }
              gift: { path: "g/{code}", signed: true, web: { carry: true } }

            """
        return try CatalogLoader.load(Array((text + "\n" + more).utf8), file: "arrivals.yaml")
    }

    private func page(_ link: String, _ catalog: RouteCatalog) -> ArrivalPage {
        ArrivalPage(link, of: LinkPages(catalog))
    }

    private func stack(_ link: String, _ catalog: RouteCatalog) throws -> [DeepLinkCore.Destination] {
        let request = ResolutionRequest(link: try DeepLink(bytes: Array(link.utf8)))
        guard case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) else { return [] }
        return plan.stack
    }

    @Test(arguments: [
        "", "home", "basket", "p/7", "p/7/reviews", "c/books", "orders/0b0e8a3c-9f5e-4a51-9e6d-0d9f0f3b0a11", "login",
        "search", "search?q=100%25", "search?q=a%2Bb%26c%3Dd", "search?q=caf%C3%A9%20%22x%22", "search?q=%25252F", "s",
        "g/7?exp=1800000000&sig=k1.AbC-_", "p/7?utm_source=mail&gclid=1%262&utm_medium=a%20b&x=1",
    ])
    func `the link that arrives leads to the link's stack`(_ path: String) throws {
        let catalog = try Self.catalog()
        let link = "https://links.example.com/\(path)"
        let want = try stack(link, catalog)
        guard !want.isEmpty else {
            #expect(path == "s")
            return
        }
        let reader = ArrivalReader(hosts: ["links.example.com"])
        let arrivals = page(link, catalog).arrivals(by: reader)
        // The two of Google Play, the copy button's and the banner's.
        #expect(arrivals.count == 4, "\(path)")
        for arrival in arrivals { #expect(try stack(try #require(arrival), catalog) == want) }
    }

    @Test(arguments: ["s/7", "o/7?sig=k1.AbC-_"])
    func `some links are not carried, and their campaigns are`(_ path: String) throws {
        let catalog = try Self.catalog()
        let link = "https://links.example.com/\(path)"
        let page = page(link, catalog)
        #expect(page.html.contains("app-argument=\(link)"))
        #expect(!page.html.contains("<button") && !page.html.contains("<script") && page.referrers.isEmpty)
        let query = path.contains("?") ? "&utm_source=mail" : "?utm_source=mail"
        #expect(self.page(link + query, catalog).referrers == ["utm_source=mail", "utm_source=mail"])
    }

    @Test func `the referrer has a kibibyte at most, and without the link keeps the campaign`() throws {
        let catalog = try Self.catalog()
        var lengths: [Int] = []
        for count in stride(from: 0, through: 1_000, by: 7) {
            let text = String(repeating: "é", count: count).addingPercentEncoding(withAllowedCharacters: []) ?? ""
            let html = page("https://links.example.com/search?q=\(text)&utm_source=mail", catalog).html
            let encoded = try #require(html.firstMatch(of: /referrer=([^"&;]*)"/)).1
            lengths.append(encoded.utf8.count)
            #expect(encoded.utf8.count <= 1_024)
            #expect(encoded.hasSuffix("utm_source%3Dmail"))
        }
        #expect(lengths.max() ?? 0 > 950 && lengths.last == "utm_source%3Dmail".utf8.count)
    }

    @Test func `a page has one script, and only with its button`() throws {
        let catalog = try Self.catalog()
        let html = page("https://links.example.com/p/7", catalog).html
        #expect(html.components(separatedBy: "<script>").count == 2)
        let script = PageScript.copy.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        #expect(html.contains("<script>\(script)</script>"))
        #expect(!page("https://links.example.com/nowhere", catalog).html.contains("<script"))
        #expect(!page("https://links.example.com/imprint", catalog).html.contains("<script"))
        #expect(!page("https://links.example.com/p/7", try Example.catalog("link-domain")).html.contains("<script"))
    }
}
