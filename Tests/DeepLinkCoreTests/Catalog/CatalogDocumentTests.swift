import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

/// Checks that a catalog's JSON is a catalog: load(body(c)) is c, but for locations and version.
@Suite struct CatalogDocumentTests {
    /// The JSON of a catalog without what the text it was read from decides.
    private func content(_ catalog: RouteCatalog) -> String {
        String(decoding: CatalogBody(catalog).json, as: UTF8.self)
            .replacing(/,?"location":\{"line":\d+,"column":\d+\}/, with: "")
            .replacing(/"catalogVersion":"[^"]*"/, with: "")
    }

    private func reloaded(_ catalog: RouteCatalog) throws -> RouteCatalog {
        try CatalogLoader.load(CatalogBody(catalog).json, file: "catalog.json")
    }

    @Test(arguments: Example.names)
    func `the JSON of an example loads as the same catalog`(name: String) throws {
        let catalog = try Example.catalog(name)
        #expect(content(try reloaded(catalog)) == content(catalog))
    }

    @Test func `the JSON of any catalog loads as one that answers alike`() async throws {
        var compared = 0
        for generated in await GeneratedCatalog.all.prefix(Effort.part(of: 2_000)) {
            await Task.yield()
            // No file bounds the values in a list, as some of these catalogs do.
            guard !content(generated.catalog).contains("values, each a whole number of at most") else { continue }
            compared += 1
            let again = try reloaded(generated.catalog)
            #expect(content(again) == content(generated.catalog), "seed \(generated.seed)")
            for link in generated.links(2) {
                let answers = [generated.catalog, again]
                    .map { catalog in
                        AuthorizationLevel.allCases.map { level in
                            ResolutionSummary.lines(
                                resolve(ResolutionRequest(link: link), userLevel: level, catalog: catalog)
                            )
                        }
                    }
                #expect(answers[0] == answers[1], "seed \(generated.seed): \(link.text)")
            }
        }
        #expect(compared > Effort.part(of: 1_000))
    }

    @Test func `the JSON of an example with words exchanged loads as the same catalog`() async throws {
        let texts = try Example.names.map {
            String(decoding: try Checkout.bytes("Config/examples/\($0).yaml"), as: UTF8.self)
        }
        let word = /[A-Za-z0-9{}*?_.-]+/
        let words =
            texts.flatMap { $0.matches(of: word).map { String($0.output) } } + ["{x*}", "{y?}", "\"\\u2028\"", "[int]"]
        var generator = SeededGenerator(seed: 18)
        var count = 0
        for _ in 0..<Effort.part(of: 4_000) {
            await Task.yield()
            var text = generator.pick(texts)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let range = generator.pick(text.matches(of: word).map(\.range))
                text.replaceSubrange(range, with: generator.pick(words))
            }
            guard let catalog = try? CatalogLoader.load(Array(text.utf8), file: "mutated.yaml") else { continue }
            count += 1
            do {
                #expect(content(try reloaded(catalog)) == content(catalog), "\(text)")
            } catch {
                Issue.record("\(error) of \(text)")
            }
        }
        // Many are comments, descriptions and names of routes that nothing else names.
        #expect(count > Effort.part(of: 200), "\(count)")
    }

    @Test func `every key of apps and pages survives`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: https, hosts: [links.example.com] }]
            apps:
              ios:
                - appID: ABCDE12345.com.example.app
                  storeID: 1
                  scheme: app
                  storeQuery: { pt: 7, ct: "a b" }
                  copy: true
                  webCredentials: true
                  clip: ABCDE12345.com.example.app.Clip
              android: [{ package: a.b, fingerprints: [\(Array(repeating: "14", count: 32).joined(separator: ":").debugDescription)], storeQuery: { c: d }, loginCredentials: true }]
            web:
              name: { en: Shop, de: Laden }
              fallback: { ios: "https://www.example.com/i", desktop: "https://www.example.com/d" }
              hosts: [www.example.com]
              icon: https://www.example.com/i.png
              color: "#0B57D0"
              onColor: "#fff"
              keep: [ref, "utm_*"]
              previewBots: [ExampleBot]
              maxAge: 300
            entry: { home: { presentation: root, initial: true } }
            routes:
              home: { opens: { p: push }, web: { image: https://www.example.com/h.png, carry: false } }
              p:
                path: "p/{id}"
                parameters: { id: int }
                web:
                  image: { url: "https://www.example.com/p.png", width: 1200, height: 630, alt: { en: "Product {id}" } }
                  fallback: { android: "https://www.example.com/p/{id}" }
                  carry: true
            """
        let catalog = try CatalogLoader.load(Array(yaml.utf8), file: "pages.yaml")
        let again = try reloaded(catalog)
        #expect(content(again) == content(catalog))
        #expect(again.site == catalog.site && again.apps.unnamed == catalog.apps.unnamed)
        #expect(again.routes.map(\.page) == catalog.routes.map(\.page))
        #expect(again.site.maxAge == 300 && again.site.keep?.contains("utm_id") == true)
        #expect(again.routes.last?.page?.image?.width == 1200 && again.apps.unnamed.apple.first?.copies == true)
        for part in [
            #""copy":true,"webCredentials":true,"clip":"ABCDE12345.com.example.app.Clip"}"#,
            #""storeQuery":{"pt":"7","ct":"a b"},"copy":true"#, #""storeQuery":{"c":"d"},"loginCredentials":true}"#,
            ##""color":"#0b57d0","onColor":"#ffffff","keep":["ref","utm_*"]"##,
            #""fallback":{"ios":"https://www.example.com/i","desktop":"https://www.example.com/d"}"#, #""carry":false"#,
        ] {
            #expect(content(catalog).contains(part), "\(part)")
        }
    }

    @Test func `every key of a catalog's file survives`() throws {
        let yaml = """
            version: 1
            origins:
              - { scheme: https, hosts: ["example.com:8443", www.example.com], pathPrefix: /app }
              - { scheme: nav, authority: segment }
            plusIsSpace: true
            gates: { signedInUser: /home/login, premiumUser: /home/login?plan=gold }
            entry: { home: { presentation: root, initial: true }, login: { presentation: root, linkable: false } }
            routes:
              home:
                description: "Tabs\\ttabs \\u2028 \\x7f \\u0085 \\ufeff \\"quotes\\" \\\\u0041 \\U0001F600 <b>"
                opens:
                  login: push
                  list:
                    - { presentation: tab, path: "all/{page?}", parameters: { page: { type: int, min: 1, default: 1 } } }
                    - { presentation: "custom:wheel", path: wheel, aliases: [wheels], authorizationLevel: signedInUser }
                  search: { presentation: sheet, parameters: { q: { type: string, from: find, required: true } } }
                  files: push
              login: { parameters: { plan: { type: enum, values: [gold, "true"], default: "true" } } }
              list: { path: "list/{page?}", aliases: ["liste/{page?}"], parameters: { page: int } }
              search:
                query: find
                authorizationLevel: premiumUser
                parameters:
                  q: { type: string, from: find, pattern: "[a-z]{1,5}", min: 1, max: 5 }
                  near: { type: object, fields: { lat: { type: double, min: -90, max: 90, required: true }, place: { type: string, default: here } } }
                  tags: { type: "[enum]", values: [a, b], min: 1, max: 2, take: shared, default: [a] }
                  days: { type: [date], from: day }
              files: { path: "files/{path*}", parameters: { path: { type: string, min: 1, max: 9, pattern: "[a-z.]+" } } }
            """
        let catalog = try CatalogLoader.load(Array(yaml.utf8), file: "c.yaml")
        let again = try reloaded(catalog)
        #expect(content(again) == content(catalog))
        #expect(again.routes[0].description == catalog.routes[0].description)
        #expect(again.gateLinks.map(\.link) == catalog.gateLinks.map(\.link))
        #expect(again.version != catalog.version)
    }

    @Test func `JSON that another program wrote with escapes loads alike`() throws {
        let json =
            #"{ "catalogVersion": "", "origins": [{"scheme": "nav", "hosts": []}], "entry": [{"route": "a", "presentation": "root"}], "routes": [{"name": "a", "description": "\ud83d\ude00 \\ud83d \/ \u2029", "parameters": [], "opens": []}]}"#
        let catalog = try CatalogLoader.load(Array(json.utf8), file: "c.json")
        #expect(catalog.routes[0].description == "\u{1F600} \\ud83d / \u{2029}")
    }

    @Test func `a document says where it is at fault`() {
        let json = """
            {"catalogVersion": "x", "origins": [{"scheme": "nav"}], "entry": [{"route": "a", "presentation": "root"}],
             "routes": [{"name": "a", "opens": [{"presentation": "push"}]},
                        {"name": "a"}]}
            """
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(json.utf8), file: "c.json") }
        #expect(
            error?.issues.map { "\($0.code.rawValue) \($0.location.line)" } == ["missing-key 2", "duplicate-key 3"]
        )
    }

    @Test func `routes and edges say where they are declared`() throws {
        let yaml =
            "version: 1\norigins: [{ scheme: nav }]\nentry:\n  a: root\nroutes:\n  a:\n    opens:\n      a: push\n"
        let json = String(
            decoding: CatalogBody(try CatalogLoader.load(Array(yaml.utf8), file: "c")).json,
            as: UTF8.self
        )
        #expect(json.contains(#""entry":[{"route":"a","presentation":"root","location":{"line":4,"column":3}}]"#))
        #expect(json.contains(#""presentation":"push","location":{"line":8,"column":7}}]"#))
        #expect(json.contains(#"],"location":{"line":6,"column":3}}]"#))
    }
}
