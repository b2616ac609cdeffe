import DeepLinkImport
import Testing

@Suite struct LinkInferenceTests {
    @Test func `numbers, identifiers and days become typed parameters`() throws {
        let links = (1...41)
            .flatMap { number in
                [
                    "https://shop.example/product/\(number * 7)",
                    "https://shop.example/order/\(1000 + number)/2026-01-\(number % 20 + 10)",
                    "https://shop.example/ticket/0f8b3c1a-0000-4000-8000-0000000000\(number + 10)",
                ]
            }
        let made = try LinkImport(links)
        #expect(made.line("id: int") == "id: int  # int in 41 of 41")
        #expect(
            made.draft.yaml.contains("orderDate: date  # date in 41 of 41") || made.draft.yaml.contains("date: date")
        )
        #expect(made.line("id: uuid") == "id: uuid  # uuid in 41 of 41")
        #expect(try made.stack("https://shop.example/product/9000001") == "home › product")
        #expect(made.check.report.refusedCount == 0)
    }

    @Test func `words that come again are literals, and many rare ones are values`() throws {
        let names = ["anna", "ben", "carla", "dora", "emil", "farid", "gina", "hugo", "ines", "jan", "kim", "lars"]
        var links: [String] = []
        for (place, name) in names.enumerated() {
            links.append("https://app.example/people/\(name)")
            links.append("https://app.example/people/\(name)\(place + 10)/photos")
        }
        for _ in 1...9 { links += ["https://app.example/search", "https://app.example/settings/account"] }
        let made = try LinkImport(links)
        #expect(try made.stack("https://app.example/people/zoe") == "home › people")
        #expect(try made.stack("https://app.example/people/zoe/photos").hasSuffix("photos"))
        #expect(try made.stack("https://app.example/settings/other").hasPrefix("No route"))
        #expect(made.draft.routeCount <= 6)
    }

    @Test func `spellings that differ by case are aliases, and a slash at the end is nothing`() throws {
        let links = (1...20)
            .flatMap { ["https://a.example/Help/", "https://a.example/help", "https://a.example/help/\($0)"] }
        let made = try LinkImport(links)
        #expect(try made.stack("https://a.example/Help/77") == "home › help › helpDetail")
        #expect(
            made.line("aliases:") == "aliases: [help]  # other spellings in the links"
                || made.line("aliases:") == "aliases: [Help]  # other spellings in the links"
        )
    }

    @Test func `languages before the same paths are aliases of the start`() throws {
        let links = (1...12)
            .flatMap { number in
                ["", "de/", "fr/", "pt-BR/"].map { "https://paper.example/\($0)article/\(number)" }
            }
        let made = try LinkImport(
            links + ["https://paper.example/about", "https://paper.example/de/about", "https://paper.example/de"]
        )
        #expect(made.line("aliases:") == "aliases: [de, fr, pt-BR]  # languages with which paths begin")
        #expect(try made.stack("https://paper.example/fr/article/9") == "home › article")
        #expect(try made.stack("https://paper.example/de") == "home")
    }

    @Test func `a stray link with two languages makes no screen of one`() throws {
        let links = (1...12)
            .flatMap { number in ["", "de/", "fr/"].map { "https://paper.example/\($0)article/\(number)" } }
        let made = try LinkImport(
            links + ["https://paper.example/fr/de", "https://paper.example/de/fr/article/7"]
        )
        #expect(made.line("aliases:") == "aliases: [de, fr]  # languages with which paths begin")
        #expect(try made.stack("https://paper.example/de/article/9") == "home › article")
        #expect(made.check.report.refusedCount == 2)
    }

    @Test func `a tag that often stands behind a language is a screen`() throws {
        let links = (1...12)
            .flatMap { number in
                ["", "de/", "fr/"]
                    .flatMap { language in
                        ["article/\(number)", "my", "my/article"].map { "https://paper.example/\(language)\($0)" }
                    }
            }
        let made = try LinkImport(links)
        #expect(made.line("aliases:") == "aliases: [de, fr]  # languages with which paths begin")
        #expect(try made.stack("https://paper.example/de/my") == "home › my")
        #expect(made.check.report.refusedCount == 0)
    }

    @Test func `keys of the query have types, and those of campaigns are none`() throws {
        let links = (1...30)
            .map {
                "https://a.example/search?q=red+shoes&page=\($0)&sort=\(["new", "old", "best"][$0 % 3])&utm_source=mail"
            }
        let made = try LinkImport(links)
        #expect(made.line("page:") == "page: int  # int in 30 of 30")
        #expect(made.line("sort:") == "sort: { type: enum, values: [best, new, old] }  # 3 words in 30 links")
        #expect(made.line("plusIsSpace")?.hasPrefix("plusIsSpace: true  # a plus in 30 of 30") == true)
        #expect(!made.draft.yaml.contains("utm_source"))
        #expect(made.report.contains { $0.contains("utm_source") })
        // Twice is too seldom for an enumeration.
        #expect(try LinkImport(Array(links.prefix(6))).line("sort:") == "sort: string  # string in 6 of 6")
    }

    @Test func `schemes read a host as a segment, as a host, or as nothing`() throws {
        let made = try LinkImport([
            "shop://product/1", "shop://product/2", "shop://cart", "app://open.shop.example/cart",
            "matrix:u/alice:example.org",
            "matrix:u/bob:example.org", "matrix:r/general:example.org", "https://shop.example/cart",
            "https://rooms.example/#/room/17", "https://rooms.example/#/room/18",
        ])
        #expect(made.line("scheme: shop") == "- { scheme: shop, authority: segment }")
        #expect(made.line("scheme: app") == "- { scheme: app, hosts: [open.shop.example] }")
        #expect(made.line("scheme: matrix") == "- { scheme: matrix, authority: none }")
        #expect(made.line("rooms.example") == "- { scheme: https, hosts: [rooms.example], fragment: path }")
        #expect(made.check.report.refusedCount == 0, "\(made.report)")
    }

    @Test func `rare hosts of another site look foreign`() throws {
        let own = (1...300).map { "https://www.shop.example/product/\($0)" }
        let made = try LinkImport(own + ["https://tracker.test/click/77?to=x", "mailto:ann@shop.example"])
        #expect(!made.draft.yaml.contains("tracker.test"))
        #expect(made.report.contains { $0.contains("tracker.test: 1 link, another site") })
        #expect(made.check.report.refusedCount == 2)
    }

    @Test func `paths of several lengths are a rest, and the server's own are refused`() throws {
        let links = (1...40)
            .flatMap { number in
                [
                    "https://docs.example/wiki/page\(number)a1/part\(number)b2",
                    "https://docs.example/wiki/page\(number)a1",
                    "https://docs.example/wiki/page\(number)a1/part\(number)b2/last\(number)c3",
                ]
            }
        let made = try LinkImport(links + ["https://docs.example/v1/users"])
        #expect(made.draft.yaml.contains("{path*}"))
        #expect(
            try made.stack("https://docs.example/wiki/x9y8/a/b/c") == "home › wikiPages" || made.draft.routeCount <= 3
        )
        #expect(made.report.contains { $0.contains("the server keeps") || $0.contains("no route") })
    }

    @Test func `many hosts below one name are values`() throws {
        let links = (1...60).map { "https://blog\($0)x.press.example/\(2000 + $0 % 20)/\($0 % 12 + 1)" }
        let made = try LinkImport(links)
        #expect(made.line("press.example")?.contains("\"*.press.example\"") == true)
        #expect(try made.stack("https://other.press.example/2020/3").hasPrefix("home"))
    }
}
