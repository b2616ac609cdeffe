import DeepLinkCatalog
import DeepLinkCore
import DeepLinkWeb
import Testing
import WaymarkTestSupport

/// Tests of the association files of hosts whose paths continue in the fragment.
@Suite struct AssociationFragmentTests {
    @Test func `a host whose paths continue in the fragment has both, and nothing else`() throws {
        let text = """
            version: 1
            origins:
              - { scheme: https, hosts: [app.test], fragment: path }
              - { scheme: https, hosts: [app.test], pathPrefix: /app, fragment: path }
            \(AssociationReader.apps)
            entry: { home: { presentation: root, initial: true } }
            routes:
              home: { path: "", opens: { room: push, help: push, imprint: push } }
              room: { path: "room/{id}", parameters: { id: int }, opens: { member: push } }
              member: { path: "member/{name*}" }
              help: {}
              imprint: { web: { open: web } }

            """
        let reader = try #require(try AssociationReader(CatalogLoader.load(Array(text.utf8), file: "rooms.yaml")))
        #expect(reader.files.warnings.isEmpty)
        for (rest, opens) in [
            ("/room/42", true), ("/#/room/42", true), ("/#room/42", true), ("#/room/42", true), ("/room#/42", true),
            ("/room#42", true), ("/room/42#", true), ("/room/42#/", true), ("/room/42#?a=b", true), ("/#/?a=b", true),
            ("/#/help", true), ("/#/help/", true), ("/#/help?a=b", true), ("/?a=b#/help", true), ("/", true),
            ("", true),
            ("/#//room/42", true), ("/#/room//42", true), ("/app#/room/42", true),
            ("/app/#/help", true), ("/app/room/42", true), ("/app", true), ("/#/room/42/member/ann/bob", true),
            ("/room/42#/member/ann/bob", true), ("/room/42/member#/ann/bob", true), ("/room/42/member/ann#/bob", true),
            ("/about", false), ("/#about", false), ("/#/about", false), ("#about", false), ("/about#top", false),
            ("/help#top", false), ("/room/42#top", false),
            ("/imprint", false), ("/#/imprint", false), ("/#imprint", false), ("/#/imprint/", false),
            ("/v1#/help", false),
        ] {
            let link = "https://app.test" + rest
            for (name, verdict) in try reader.verdicts(on: link) { #expect(verdict.opens == opens, "\(name) \(link)") }
            guard opens, let link = try? DeepLink(link) else { continue }
            let resolution = resolve(ResolutionRequest(link: link), userLevel: .premiumUser, catalog: reader.catalog)
            if case .plan = resolution { continue }
            Issue.record("\(link.text) opens the app, which shows nothing")
        }
    }

    @Test func `no fragment of a page in the browser takes a link from the app`() throws {
        let text = """
            version: 1
            origins: [{ scheme: https, hosts: [app.test], fragment: path }]
            \(AssociationReader.apps)
            entry: { home: { presentation: root, initial: true } }
            routes:
              home: { path: "", opens: { room: push, page: push } }
              room: { path: "{id}", parameters: { id: int }, opens: { member: push } }
              member: { path: "member/{name}", opens: { note: push } }
              note: { path: "{text}/{number}", web: { open: web } }
              page: { path: "{title}/{section}", web: { open: web } }

            """
        let reader = try #require(try AssociationReader(CatalogLoader.load(Array(text.utf8), file: "pages.yaml")))
        for rest in [
            "/", "/#", "/#/", "/#//", "//#/", "#/", "/#?a=b", "/#/?a=b", "/#/7", "//#/7", "///#7", "/7#/", "/7#?a=b",
            "//7#/", "/7#/member/ann", "//7#/member/ann", "/7/member#ann", "//7//member#ann", "//7/member/ann#/",
            "/7/member/ann#/?a=b", "/#/7/member/ann",
        ] {
            let link = "https://app.test" + rest
            for (name, verdict) in try reader.verdicts(on: link) { #expect(verdict.opens, "\(name) \(link)") }
        }
    }

    /// On Android the pattern of the number matches nothing too, where no slash precedes it.
    @Test func `a page behind a number takes no link from the app without the number`() throws {
        let text = """
            version: 1
            origins: [{ scheme: https, hosts: [app.test], fragment: path }]
            \(AssociationReader.apps)
            entry: { shop: { presentation: root, initial: true }, page: root, item: root, imprint: root }
            routes:
              shop: { path: town/sh }
              page: { path: "town/{id}/sh", parameters: { id: int }, web: { open: web } }
              item: { path: "town/{id}/s", parameters: { id: int } }
              imprint: { path: town/shop, web: { open: web } }

            """
        let reader = try #require(try AssociationReader(CatalogLoader.load(Array(text.utf8), file: "shop.yaml")))
        for rest in ["/town/sh", "/#/town/sh", "/town#/sh", "/town#sh", "/town/#sh/", "/town#/sh?a=b"] {
            let link = "https://app.test" + rest
            for (name, verdict) in try reader.verdicts(on: link) { #expect(verdict.opens, "\(name) \(link)") }
        }
    }

    /// Seeds 3318, 5355, 16827 and 51924 of the law of links that resolve: no pattern can tell a query from a longer word.
    @Test func `a page in the browser that opens the app with a query in its fragment is named`() throws {
        for (page, room, openers) in [
            ("imprint", "{ path: '{name}' }", ["Apple", "Android"]),
            ("imprint", "{ path: '{name}/members' }", ["Android"]),
            ("imprint", "{ path: '{owner}/{name}' }", ["Apple", "Android"]),
            ("imprint", "{ path: '{id}/imprint', parameters: { id: int } }", ["Android"]),
            ("imprint", "{ path: '{name}/im' }", ["Android"]),
            ("imprint", "{ path: '{id}/imprint', parameters: { id: uuid } }", []),
            ("imprint", "{ path: '{id}', parameters: { id: int } }", ["Android"]),
            ("2fa", "{ path: '{id}', parameters: { id: int } }", ["Apple", "Android"]),
            ("room/help", "{ path: 'room/{id}/{tab}', parameters: { id: int } }", ["Android"]),
            ("imprint", "{ path: '{id}', parameters: { id: uuid } }", []),
            ("imprint", "{ path: 'im{rest}' }", ["Apple", "Android"]),
            ("imprint", "{ path: im }", ["Apple", "Android"]),
        ] {
            let text = """
                version: 1
                origins: [{ scheme: https, hosts: [app.test], fragment: path }]
                \(AssociationReader.apps)
                entry: { home: { presentation: root, initial: true }, room: root, page: root, news: root }
                routes:
                  home: { path: "", web: { open: web } }
                  room: \(room)
                  page: { path: "\(page)", web: { open: web } }
                  news: { path: "news/daily/{day}", parameters: { day: date }, web: { open: web } }

                """
            let reader = try #require(try AssociationReader(CatalogLoader.load(Array(text.utf8), file: "page.yaml")))
            let messages = reader.files.warnings.map(\.message)
            for (route, links) in [
                ("home", ["/#/?a=b", "/#?a=b", "/#/", "#/"]),
                ("page", ["/#/\(page)?a=b", "/#/\(page)/?a=b", "/#\(page)/?a=b", "/\(page)#?a=b"]),
                ("news", ["/#/news/daily/2026-11-28?a=b", "/news/daily/2026-11-28#?a=b"]),
            ] {
                let verdicts = try links.flatMap { try reader.verdicts(on: "https://app.test" + $0) }
                let opening = Set(verdicts.filter { $0.verdict.opens }.map { $0.name.prefix { $0 != " " } })
                let named = ["Apple", "Android"]
                    .filter { platform in
                        messages.contains { $0.contains("`\(route)`") && $0.contains("\(platform)'s") }
                    }
                #expect(opening == Set(named.map { $0[...] }), "\(route), \(page) beside \(room)")
                #expect(route != "page" || named == openers, "\(page) beside \(room): \(named)")
            }
            for (name, verdict) in try reader.verdicts(on: "https://app.test/#/\(page)") {
                #expect(!verdict.opens, "\(name) \(page) beside \(room)")
            }
        }
    }
}
