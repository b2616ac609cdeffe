import DeepLinkCatalog
import DeepLinkCore
import DeepLinkWeb
import Testing
import WaymarkTestSupport

/// Tests of the query pairs that go on from a page: those that no destination uses, as far as the catalog keeps them.
@Suite struct CampaignTests {
    private static let link = "https://links.example.com/p/7?utm_source=mail&fbclid=x&gclid=1%262&utm_medium=a%20b"

    private func pages(keep: String? = nil) throws -> LinkPages {
        guard let keep else { return LinkPages(try Example.catalog("link-domain")) }
        return LinkPages(
            try Example.catalog("link-domain", replacing: "  hosts: [www", with: "  keep: \(keep)\n  hosts: [www")
        )
    }

    /// The values of the attributes of a page that contain a text.
    private func values(_ html: String, containing text: String) -> [String] {
        html.matches(of: /(?:href|content|value)="([^"]*)"/).map { String($0.1).replacing("&amp;", with: "&") }
            .filter { $0.contains(text) }
    }

    @Test func `the app's buttons, the banner and the way on to the web have what is kept`() throws {
        let kept = "utm_source=mail&gclid=1%262&utm_medium=a%20b"
        for platform in DevicePlatform.allCases {
            let html = try pages().text(Self.link, for: LinkVisitor(isBrowser: true, platform: platform))
            #expect(values(html, containing: "shop://p/7") == Array(repeating: "shop://p/7?\(kept)", count: 2))
            #expect(values(html, containing: "intent:")[0].hasPrefix("intent://links.example.com/p/7?\(kept)#Intent;"))
            #expect(values(html, containing: "app-argument")[0].hasSuffix("=https://links.example.com/p/7?\(kept)"))
            #expect(values(html, containing: "https://www.example.com?").allSatisfy { $0.hasSuffix("?\(kept)") })
            #expect(values(html, containing: "https://www.example.com?").count == 2)
            // The identity of the page has nothing of a campaign, and no text has.
            #expect(values(html, containing: "https://links.example.com/p/7").contains("https://links.example.com/p/7"))
            #expect(!html.replacing(/="[^"]*"/, with: "").contains("mail"))
            #expect(!html.contains("fbclid"))
        }
    }

    @Test func `the code has what is kept`() throws {
        let visitor = LinkVisitor(isBrowser: true)
        let code = try #require(QRCode("https://links.example.com/p/7?utm_id=1"))
        let html = try pages().text("https://links.example.com/p/7?utm_id=1&x=2", for: visitor)
        #expect(html.contains(String(decoding: code.path, as: UTF8.self)))
    }

    @Test(arguments: [
        ("https://links.example.com/c/books?utm_source=mail&x=1", "https://www.example.com/c/books?utm_source=mail"),
        ("https://links.example.com/c/books?utm_source", "https://www.example.com/c/books?utm_source"),
        ("https://links.example.com/c/books?x=1", "https://www.example.com/c/books"),
        ("https://links.example.com/c/books?utm_x=%3C%22%26%23", "https://www.example.com/c/books?utm_x=%3C%22%26%23"),
    ])
    func `a redirect has what is kept`(_ link: String, _ address: String) throws {
        #expect(try pages().text(link, for: LinkVisitor(isBrowser: true)) == "→ \(address)")
    }

    @Test(arguments: [
        (#""*""#, "?utm_source=mail&fbclid=x&gclid=1%262&utm_medium=a%20b"), ("[]", ""), (#"["fb*"]"#, "?fbclid=x"),
        ("[gclid, utm_medium]", "?gclid=1%262&utm_medium=a%20b"),
    ])
    func `the catalog says what is kept`(_ keep: String, _ query: String) throws {
        let html = try pages(keep: keep).text(Self.link)
        #expect(values(html, containing: "shop:").contains("shop://p/7\(query)"))
    }

    @Test func `pairs beyond a kibibyte are left out, and shorter ones behind them are not`() throws {
        let long = String(repeating: "a", count: 2_000)
        let html = try pages().text("https://links.example.com/p/7?utm_source=\(long)&utm_medium=b")
        #expect(values(html, containing: "shop:").contains("shop://p/7?utm_medium=b"))
        #expect(!html.contains(long))
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example?x=1"), ("https://a.example/?y=2", "https://a.example/?y=2&x=1"),
        ("https://a.example/?", "https://a.example/?x=1"), ("https://a.example/?y&", "https://a.example/?y&x=1"),
        ("https://a.example/#top", "https://a.example/?x=1#top"), ("https://a.example/#?", "https://a.example/?x=1#?"),
    ])
    func `pairs are appended to the query of an address`(_ address: String, _ want: String) {
        #expect(QueryItem.appending([QueryItem(name: "x", value: "1")], to: address) == want)
    }
}
