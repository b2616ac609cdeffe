import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing

/// Aliases that go, each of which only some links reach.
@Suite
struct `Links that a comparison has to find` {
    private func catalog(_ text: String) throws -> RouteCatalog {
        try CatalogLoader.load(Array(("version: 1\n" + text + "\n").utf8), file: "catalog.yaml")
    }

    /// Compares a catalog with what is left of it when a text goes.
    private func findings(_ text: String, without gone: String, _ replacement: String = "") throws -> [Finding] {
        #expect(text.contains(gone))
        let new = try catalog(text.replacing(gone, with: replacement))
        return try CatalogComparison(from: try catalog(text), to: new).report().findings
    }

    private func expectDeath(of alias: String, _ found: [Finding]) {
        let dead = found.first { $0.rule == .aliasRemoved }
        #expect(dead?.identity.old?.string == alias, "\(found.map(\.message))")
        #expect(dead?.witness != nil)
        #expect(found.contains { $0.rule == .linkDies })
    }

    @Test
    func `an alias below a container dies under a host that is the first segment`() throws {
        let text = """
            origins:
              - { scheme: https, hosts: [shop.example], authority: segment }
              - { scheme: shop, authority: segment }
            entry: { home: root, site: root }
            routes:
              site: { path: shop.example, opens: { home: push } }
              home: { path: "", opens: { orders: push } }
              orders: { aliases: [history, account/history] }
            """
        expectDeath(of: "/account/history", try findings(text, without: ", account/history"))
        // The same if no other scheme is there to show it.
        let alone = text.replacing("  - { scheme: shop, authority: segment }\n", with: "")
        let found = try findings(alone, without: ", account/history")
        expectDeath(of: "/account/history", found)
        #expect(found.first { $0.rule == .aliasRemoved }?.witness == "https://shop.example/account/history")
    }

    @Test
    func `an edge without a segment that takes links from an alias is told with one of them`() throws {
        let text = """
            origins: [{ scheme: https, hosts: [shop.example], authority: segment }, { scheme: shop, authority: segment }]
            entry: { home: root, site: root }
            routes:
              site: { path: shop.example, opens: {} }
              home: { path: "", opens: { item: push } }
              item: { path: "item/{id}", aliases: ["{_?}/product/{id}"] }
            """
        let found = try findings(text, without: "opens: {}", "opens: { home: push }")
        let added = found.first { $0.rule == .edgeAdded }
        #expect(added?.harms[.links] == .risk, "\(found.map(\.message))")
        #expect(added?.witness?.contains("shop.example/product/") == true)
        // Without the alias nobody's links change.
        let plain = text.replacing(", aliases: [\"{_?}/product/{id}\"]", with: "")
        #expect(
            try findings(plain, without: "opens: {}", "opens: { home: push }").allSatisfy { $0.harms[.links] != .risk }
        )
    }

    @Test
    func `a key that is shared is a risk, though no link that is tried repeats it`() throws {
        let text = """
            origins: [{ scheme: shop, authority: ignore }]
            entry: { home: root }
            routes:
              home: { path: "", opens: { list: push, item: push } }
              list: { opens: { item: push } }
              item: { opens: { list: push }, parameters: { size: { type: int, take: shared } } }
            """
        let found = try findings(text, without: ", take: shared")
        let changed = found.first { $0.rule == .parameterSourceChanged }
        #expect(changed?.harms[.links] == .risk, "\(found.map(\.message))")
    }

    private static let letters = ["a", "b", "c", "d", "e", "f"]

    @Test(arguments: letters)
    func `an alias that one host of many reaches dies seen`(_ letter: String) throws {
        let hosts = Self.letters.map { "\($0).example" }.joined(separator: ", ")
        let text = """
            origins: [{ scheme: https, hosts: [\(hosts)], authority: segment }]
            entry: { home: root, other: root }
            routes:
              home: { path: "{site}", opens: { orders: push } }
              orders: { path: "{number}", parameters: { number: int } }
              other: { aliases: [\(letter).example/hidden, kept] }
            """
        expectDeath(of: "/\(letter).example/hidden", try findings(text, without: "\(letter).example/hidden, "))
    }

    @Test(arguments: letters)
    func `an alias that other origins take on all hosts but one dies seen`(_ letter: String) throws {
        let origins = Self.letters
            .flatMap { other in
                ["{ scheme: https, hosts: [\(other).example] }"]
                    + (other == letter ? [] : ["{ scheme: https, hosts: [\(other).example], pathPrefix: orders }"])
            }
        let text = """
            origins: [\(origins.joined(separator: ", "))]
            entry: { home: root }
            routes:
              home: { path: start, aliases: [orders/old, x/y] }
            """
        expectDeath(of: "/orders/old", try findings(text, without: "orders/old, "))
    }

    @Test
    func `an origin that takes the links of another is told of those that die`() throws {
        let text = """
            origins: [{ scheme: shop, hosts: [a.example] }, { scheme: https, hosts: [a.example] }]
            entry: { home: root, orders: root }
            routes: { home: {}, orders: { path: "orders/{id}" } }
            """
        let found = try findings(
            text,
            without: "{ scheme: https, hosts: [a.example] }",
            "{ scheme: https, hosts: [a.example] }, { scheme: https, hosts: [a.example], pathPrefix: orders }"
        )
        let dead = try #require(found.first { $0.rule == .linkDies }, "\(found.map(\.message))")
        #expect(dead.identity.subject.route == "orders")
        #expect(dead.witness == "https://a.example/orders/x")
    }

    @Test
    func `an alias dies whatever may stand where anything may`() throws {
        let text = """
            origins: [{ scheme: shop, hosts: [a.example] }]
            entry: { home: root }
            routes: { home: { aliases: [read, "{_?}/read"] } }
            """
        expectDeath(of: "/{_?}/read", try findings(text, without: ", \"{_?}/read\""))
        let found = try findings(text.replacing("{_?}/read", with: "old/{_*}"), without: "old/{_*}", "old/{_}")
        #expect(
            found.contains { $0.rule == .linkDies && $0.witness == "shop://a.example/old/x/x" },
            "\(found.map(\.message))"
        )
    }

    @Test
    func `an alias dies although the shortest way is a sibling's`() throws {
        let text = """
            origins: [{ scheme: shop, hosts: [a.example] }]
            entry: { home: root, near: root, far: root, taker: root }
            routes:
              home: {}
              near: { path: "", opens: { orders: push } }
              far: { path: far/away, opens: { orders: push } }
              taker: { path: new }
              orders: { path: "orders/{list}", aliases: ["{list}"], parameters: { list: { type: enum, values: [new] } } }
            """
        expectDeath(of: "/{list}", try findings(text, without: " aliases: [\"{list}\"],"))
    }

    @Test
    func `what is not tried is said, and is no lack of change`() throws {
        let aliases = (0..<400).map { "a\($0)" }.joined(separator: ", ")
        let text = """
            origins: [{ scheme: shop, hosts: [a.example] }]
            entry: { home: root }
            routes: { home: { path: "home", aliases: [\(aliases)] } }
            """
        let old = try catalog(text)
        let report = try CatalogComparison(from: old, to: try catalog(text + " ")).report()
        #expect(report.untriedCount > 0)
        #expect(report.lines.last?.contains("not tried") == true, "\(report.lines)")
        #expect(!report.lines.contains { $0.contains("no change") })
        #expect(try CatalogComparison(from: Shop.catalog(), to: Shop.catalog()).report().untriedCount == 0)
    }
}

extension Shop {
    fileprivate static func catalog() throws -> RouteCatalog {
        try CatalogLoader.load(Array(text.utf8), file: "shop.yaml")
    }
}
