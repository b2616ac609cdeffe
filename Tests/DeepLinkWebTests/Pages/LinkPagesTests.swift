import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the pages that visitors of a link get.
@Suite struct LinkPagesTests {
    private let catalog: RouteCatalog
    private let pages: LinkPages

    init() throws {
        catalog = try CatalogLoader.load(contentsOf: Checkout.path("Config/examples/link-domain.yaml"))
        pages = LinkPages(catalog)
    }

    private func page(_ link: String, _ languages: String? = nil, isBrowser: Bool = false) -> String {
        pages.text(link, for: LinkVisitor(isBrowser: isBrowser, acceptLanguage: languages))
    }

    @Test(arguments: [
        (nil, "en", "ltr", "Product 7"), ("de-AT, en;q=0.5", "de", "ltr", "Artikel 7"), ("ar", "ar", "rtl", "المنتج 7"),
        ("fr;q=0.2, ar-EG;q=0.9", "ar", "rtl", "المنتج 7"), ("xx", "en", "ltr", "Product 7"),
        ("de;q=0, *", "en", "ltr", "Product 7"),
    ])
    func `a visitor reads a language that it asks for`(
        _ field: String?,
        _ language: String,
        _ direction: String,
        _ title: String
    ) {
        let html = page("https://links.example.com/p/7", field)
        #expect(html.contains("<html lang=\"\(language)\" dir=\"\(direction)\">"))
        #expect(html.contains("<title>\(title)</title>"))
    }

    @Test func `a text in another language than the page says so`() {
        #expect(page("https://links.example.com/p/7", "fr").contains("<h1 lang=\"en\" dir=\"ltr\">Product 7</h1>"))
    }

    @Test func `a fallback is for browsers, and its values are percent-encoded`() {
        #expect(
            page("https://links.example.com/blog/a%2F..%2Fb%3Fc", isBrowser: true)
                == "→ https://www.example.com/blog/a%2F..%2Fb%3Fc"
        )
        #expect(page("https://links.example.com/blog/x").contains("<title>From the blog</title>"))
        // A segment that browsers read as a dot segment leads nowhere else.
        #expect(
            page("https://links.example.com/blog/%2E%2E", isBrowser: true).contains("<title>This link leads nowhere")
        )
    }

    @Test func `what is kept in the browser offers no app`() {
        let html = page("https://links.example.com/imprint")
        #expect(!html.contains("intent:") && !html.contains("shop:") && !html.contains("<svg"))
    }

    @Test func `pages say nothing of levels`() {
        #expect(page("https://links.example.com/basket").contains("<title>Your basket</title>"))
    }

    @Test func `nothing that a link says reaches a text but what nobody else can word`() throws {
        let corpus = try Checkout.files(in: "Tests/Fuzz/Corpus/FuzzLink", withExtension: "")
        var values = [
            "<script>alert(1)</script>", "\"><b>", "javascript:alert(1)", "Send money to 7", "a&b'c", "\u{202E}evil",
        ]
        values += try corpus.prefix(200).map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        var count = 0
        for value in values {
            let allowed = CharacterSet.alphanumerics
            let encoded = value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "x"
            guard !encoded.isEmpty else { continue }
            for path in [
                "blog/\(encoded)", "search?q=\(encoded)", "\(encoded)", "p/\(encoded)", "c/\(encoded)",
                "p/7?\(encoded)=\(encoded)",
            ] {
                let html = page("https://links.example.com/\(path)")
                // Without its attributes and its picture, a page is one of a few texts.
                let texts = html.replacing(/<style>[\s\S]*<\/style>/, with: "").replacing(/="[^"]*"/, with: "")
                let known = ["Product 7", "Search", "From the blog", "Everything in", "This link leads nowhere"]
                #expect(known.contains { texts.contains("<title>\($0)") }, "\(path)")
                if value.utf8.count > 4, !texts.isEmpty, !"books games plants".contains(value) {
                    #expect(!texts.contains(value), "\(path)")
                }
                #expect(!html.contains("<script") && !html.contains("javascript:alert(1)</"), "\(path)")
                count += 1
            }
        }
        #expect(count > 30)
    }

    @Test func `a link has one page, whatever networks add to it`() {
        let page = page("https://links.example.com/p/7", isBrowser: true)
        #expect(page.contains("<svg"))
        for link in ["https://go.example.com/p/7", "https://links.example.com//p/%37/?utm_source=x&fbclid=1"] {
            // Asked for once more, what was kept of the link is the same as what was made.
            #expect(self.page(link, isBrowser: true) == self.page(link, isBrowser: true))
        }
        #expect(self.page("https://links.example.com/p/7?fbclid=1", isBrowser: true) == page)
        #expect(self.page("https://links.example.com/p/8", isBrowser: true) != page)
    }

    @Test func `the page of a short link opens an app whose links have a scheme alone`() throws {
        let text = """
            version: 1
            origins: [{ scheme: shop }, { scheme: https, hosts: [go.example.com], shortLinks: true }]
            apps: { ios: [{ appID: ABCDE12345.com.example.shop, storeID: 1, scheme: shop }] }
            entry: { item: root }
            routes: { item: { path: "item/{id}", parameters: { id: int } } }
            """
        let pages = LinkPages(try CatalogLoader.load(Array(text.utf8), file: "scheme"))
        let html = pages.text(
            "https://go.example.com/spring",
            target: LinkTarget(try DeepLink("shop:///item/7"), isSigned: false),
            for: LinkVisitor(isBrowser: true, platform: .ios)
        )
        #expect(html.contains("<meta property=\"og:url\" content=\"https://go.example.com/spring\">"))
        #expect(html.contains("href=\"shop:///item/7\""))
        #expect(html.contains("app-id=1, app-argument=https://go.example.com/spring"))
    }

    @Test func `a code draws its modules`() throws {
        // The patterns that every code has at its corners (ISO/IEC 18004 §6.3.3): the first row of two of them.
        let path = String(decoding: try #require(QRCode("https://links.example.com/p/7")).path, as: UTF8.self)
        #expect(path.hasPrefix("M0 4.5m4 0h7"))
        #expect(path.contains("M0 10.5m4 0h7m1 0h1m1 0h1m1 0h1m1 0h1m1 0h1m1 0h7M0 11.5"))
    }

    @Test func `a code is as large as its text needs, and none is made of what is too long`() throws {
        #expect(try #require(QRCode("https://links.example.com/p/7")).size == 25)
        #expect(QRCode(String(repeating: "a", count: 1_001)) == nil)
        #expect(QRCode(String(repeating: "a", count: 900)) != nil)
    }
}
