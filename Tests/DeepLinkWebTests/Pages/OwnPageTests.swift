import DeepLinkCatalog
import DeepLinkCore
import DeepLinkWeb
import Testing
import WaymarkTestSupport

/// Tests of pages that a catalog makes its own: an icon, a color, pictures, fallbacks for platforms, and their order.
@Suite struct OwnPageTests {
    private static func yaml(web: String, product: String) -> String {
        """
        version: 1
        origins: [{ scheme: https, hosts: [links.example.com] }, { scheme: shop, authority: segment }]
        apps:
          ios: [{ appID: ABCDE12345.com.example.shop, storeID: 7, scheme: shop, storeQuery: { pt: 9, ct: "a&b" } }]
          android:
            - package: com.example.shop
              storeQuery: { pcampaignid: x }
              fingerprints:
                - "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
        web: { name: Shop, hosts: [www.example.com]\(web) }
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push } }
          product: { path: "p/{id}", parameters: { id: int }, web: { title: "Product {id}"\(product) } }
        """
    }

    private func pages(_ web: String = "", product: String = "") throws -> LinkPages {
        LinkPages(try CatalogLoader.load(Array(Self.yaml(web: web, product: product).utf8), file: "own.yaml"))
    }

    private func html(_ pages: LinkPages, on platform: DevicePlatform = .desktop, isBrowser: Bool = true) -> String {
        pages.text("https://links.example.com/p/7", for: LinkVisitor(isBrowser: isBrowser, platform: platform))
    }

    /// The labels of the links of a page, in order, with a bar where the others begin.
    private func labels(_ html: String) -> [String] {
        html.matches(of: /<a [^>]*>([^<]*)<\/a>|<(details|figure)/)
            .map { $0.1.map(String.init) ?? ($0.2 == "details" ? "|" : "#") }
    }

    @Test func `the likely platform's links come first, and the others are folded away`() throws {
        let pages = try pages(#", fallback: "https://www.example.com""#)
        let (apple, android) = ("Get the app from the App Store", "Get the app from Google Play")
        let web = "Continue on the web"
        #expect(
            labels(html(pages, on: .ios)) == [
                "Open in the app", apple, web, "|", "Open in the app on Android", android,
            ]
        )
        #expect(
            labels(html(pages, on: .android))
                == ["Open in the app", android, web, "|", "Open in the app on iPhone or iPad", apple]
        )
        #expect(
            labels(html(pages))
                == [
                    web, "#", "|", "Open in the app on iPhone or iPad", apple, "Open in the app on Android", android,
                ]
        )
        // A preview shows no code.
        #expect(!labels(html(pages, isBrowser: false)).contains("#"))
    }

    @Test(arguments: [
        ("/p/7", DevicePlatform.ios, ["Open in the app"]), ("/p/7", .android, ["Open in the app"]),
        ("/p/7", .desktop, ["Continue on the web"]), ("/nowhere", .ios, ["Continue on the web"]),
        ("/nowhere", .android, ["Continue on the web"]), ("/nowhere", .desktop, ["Continue on the web"]),
    ])
    func `one link has the accent color, and the way on to the web is never folded away`(
        _ path: String,
        _ platform: DevicePlatform,
        _ main: [String]
    ) throws {
        let pages = try pages(#", fallback: "https://www.example.com""#)
        let visitor = LinkVisitor(isBrowser: true, platform: platform)
        let html = pages.text("https://links.example.com" + path, for: visitor)
        #expect(html.matches(of: /<a class="main"[^>]*>([^<]*)</).map { String($0.1) } == main)
        #expect(labels(html).prefix { $0 != "|" }.contains("Continue on the web"))
        // Without a way on to the web, a desktop has a link for each platform, of which none is likelier.
        let both = self.html(try self.pages()).matches(of: /<a class="main"[^>]*>([^<]*)</).map { String($0.1) }
        #expect(both == ["Open in the app on iPhone or iPad", "Open in the app on Android"])
    }

    @Test func `what would be all that a page has is not folded away`() throws {
        #expect(html(try pages()).contains("<details open>"))
        #expect(html(try pages(#", fallback: "https://www.example.com""#)).contains("<details>"))
    }

    @Test func `store links carry the app's query`() throws {
        let html = html(try pages())
        #expect(html.contains("\"https://apps.apple.com/app/id7?pt=9&amp;ct=a%26b\""))
        #expect(
            html.contains("\"https://play.google.com/store/apps/details?id=com.example.shop&amp;pcampaignid=x&amp;")
        )
    }

    @Test func `a fallback for some platforms redirects those, and no other visitor`() throws {
        let route = try pages(product: #", fallback: { desktop: "https://www.example.com/d/{id}" }"#)
        #expect(html(route) == "→ https://www.example.com/d/7")
        #expect(html(route, on: .ios).contains("Open in the app"))
        #expect(html(route, isBrowser: false).contains("Product 7"))
        let site = try pages(#", fallback: { ios: "https://www.example.com/i", desktop: "https://www.example.com/d" }"#)
        #expect(html(site) == "→ https://www.example.com/d")
        #expect(html(site, on: .ios) == "→ https://www.example.com/i")
        #expect(html(site, on: .android).contains("https://www.example.com/d\">Continue on the web"))
        // The route's own comes first, for all platforms.
        let both = try pages(
            #", fallback: { desktop: "https://www.example.com/d" }"#,
            product: #", fallback: { ios: "https://www.example.com/r" }"#
        )
        #expect(html(both).contains("Product 7"))
        // An address for all platforms is where the page goes on, and redirects for a route alone.
        #expect(html(try pages(#", fallback: "https://www.example.com""#)).contains("Product 7"))
        let plain = try pages(product: #", fallback: "https://www.example.com/p""#)
        for platform in DevicePlatform.allCases { #expect(html(plain, on: platform) == "→ https://www.example.com/p") }
    }

    @Test func `Android without the app opens the store, unless the catalog has an address for it`() throws {
        let store =
            "S.browser_fallback_url=https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.shop"
        for fallback in [
            "", #", fallback: "https://www.example.com""#, #", fallback: { desktop: "https://www.example.com" }"#,
        ] {
            #expect(html(try pages(fallback), on: .ios).contains(store))
        }
        let own = #", fallback: { android: "https://www.example.com/a" }"#
        #expect(html(try pages(own), on: .ios).contains("S.browser_fallback_url=https%3A%2F%2Fwww.example.com%2Fa;end"))
    }

    @Test func `a page shows the icon and the route's picture, with its size and its description`() throws {
        let pages = try pages(
            #", icon: "https://www.example.com/i.png""#,
            product:
                #", image: { url: "https://www.example.com/p.png?a;b", width: 1200, height: 630, alt: { en: "No. {id}", de: "Nr. {id}" } }"#
        )
        let html = html(pages)
        #expect(html.contains(#"<link rel="icon" href="https://www.example.com/i.png">"#))
        #expect(html.contains(#"<img class="icon" alt="" width="48" height="48" src="https://www.example.com/i.png">"#))
        #expect(
            html.contains(
                #"<img class="picture" alt="No. 7" width="1200" height="630" src="https://www.example.com/p.png?a;b">"#
            )
        )
        for part in [":width\" content=\"1200", ":height\" content=\"630", ":alt\" content=\"No. 7"] {
            #expect(html.contains("<meta property=\"og:image\(part)\">"))
        }
        for part in ["ios:url\" content=\"shop://p/7", "android:package\" content=\"com.example.shop"] {
            #expect(html.contains("<meta property=\"al:\(part)\">"))
        }
    }

    @Test func `text on any color is readable`() throws {
        for red in stride(from: 0, through: 255, by: 15) {
            for green in stride(from: 0, through: 255, by: 15) {
                for blue in stride(from: 0, through: 255, by: 15) {
                    let digits = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                    let (white, black) = try #require(AccentColor("#\(digits)")).contrasts
                    #expect(max(white, black) >= 4.5, "\(digits)")
                }
            }
        }
        let (white, black) = try #require(AccentColor("#767676")).contrasts
        #expect(abs(white - 4.54) < 0.01 && abs(black - 4.62) < 0.01)
        #expect(AccentColor("#fff")?.text == "#ffffff" && AccentColor("fff") == nil && AccentColor("#ff") == nil)
        let sheet = String(decoding: try pages(##", color: "#ffee00""##).style.sheet, as: UTF8.self)
        #expect(sheet.hasSuffix("main a.main{--main:#ffee00;--on-main:#000}\n"))
    }

    @Test(arguments: [
        ("#0b57d0", "#ffe", "--on-main:#ffffee}"),
        ("#1185fe", "#fff", "--on-main:#ffffff;font-size:1.2rem;font-weight:700}"),
    ])
    func `the text on the color has the color of the catalog, and is large where its contrast is low`(
        _ color: String,
        _ onColor: String,
        _ end: String
    ) throws {
        let sheet = try pages(##", color: "\##(color)", onColor: "\##(onColor)""##).style.sheet
        #expect(String(decoding: sheet, as: UTF8.self).hasSuffix("main a.main{--main:\(color);\(end)\n"))
        let (one, other) = (try #require(AccentColor("#1185fe")), try #require(AccentColor("#fff")))
        #expect(abs(one.contrast(with: other) - 3.61) < 0.01 && one.contrast(with: other) == other.contrast(with: one))
    }

    @Test func `a page that leads nowhere is not kept`() throws {
        let pages = try pages(", maxAge: 60")
        let time = Timestamp(millisecondsSinceEpoch: 0)
        for (path, age) in [("p/7", 60), ("nowhere", 0)] {
            let link = Array("https://links.example.com/\(path)".utf8)
            let reply = pages.answer(link: link, to: LinkVisitor(isBrowser: true), keys: NoKeys(), at: time)
            guard case .page(let page) = reply.answer else {
                Issue.record("no page")
                continue
            }
            #expect(page.maxAge == age, "\(path)")
        }
    }
}
