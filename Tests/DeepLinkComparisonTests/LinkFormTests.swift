import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Links whose path does not stand behind scheme and host, and values that no link sets.
@Suite
struct `Forms of links in a comparison` {
    private func catalog(_ origin: String, item: String = "item/{id}", more: String = "") throws -> RouteCatalog {
        let text = """
            version: 1
            origins: [\(origin)]
            entry: { home: root }
            routes:
              home: { path: "{place}", opens: { item: push } }
              item: { path: "\(item)", parameters: { id: int\(more) } }

            """
        return try CatalogLoader.load(Array(text.utf8), file: "catalog.yaml")
    }

    private func findings(_ old: RouteCatalog, _ new: RouteCatalog) throws -> [Finding] {
        try CatalogComparison(from: old, to: new).report().findings
    }

    @Test(arguments: [
        ("{ scheme: shop, authority: none }", "shop:x/item/1"),
        ("{ scheme: shop, authority: segment }", "shop://x/item/1"),
        ("{ scheme: https, authority: segment, hosts: [\"*.shop.example\"] }", "https://x.shop.example/item/1"),
        ("{ scheme: https, authority: segment, hosts: [shop.example] }", "https://shop.example/item/1"),
        (
            "{ scheme: https, authority: segment, hosts: [\"*.shop.example\"], pathPrefix: app }",
            "https://x.shop.example/app/item/1"
        ),
        ("{ scheme: https, hosts: [shop.example], fragment: path }", "https://shop.example/x/item/1"),
    ])
    func `a change is shown by a link as the origin writes it`(_ origin: String, _ witness: String) throws {
        let (old, new) = (try catalog(origin), try catalog(origin, item: "product/{id}"))
        let found = try findings(old, new)
        let dead = try #require(found.first { $0.rule == .linkDies }, "\(found.map(\.message))")
        #expect(dead.witness == witness)
        #expect(found.contains { $0.rule == .pathChanged && $0.witness != nil })
        #expect(try findings(old, old).isEmpty)
        var comparison = try CatalogComparison(from: old, to: new)
        var replay = comparison.replay
        replay.replay(Array(witness.utf8), opens: 3)
        comparison.add(replay)
        #expect(comparison.report().recorded?.diedOpenCount == 3)
    }

    @Test
    func `a host of many that goes is told of itself`() throws {
        let origin = "{ scheme: https, authority: segment, hosts: [\"*.a.example\", \"*.b.example\"] }"
        let new = "{ scheme: https, authority: segment, hosts: [\"*.a.example\"] }"
        let found = try findings(try catalog(origin), try catalog(new))
        let gone = try #require(found.first { $0.rule == .hostRemoved }, "\(found.map(\.message))")
        #expect(gone.identity.subject.origin == "https://*.b.example")
        #expect(gone.witness?.hasPrefix("https://x.b.example") == true)
        #expect(!found.contains { $0.rule == .edgeRemoved || $0.rule == .pathChanged })
    }

    @Test
    func `a fragment that holds the path no longer, or now, is told with a link`() throws {
        let routed = try catalog("{ scheme: https, hosts: [shop.example], fragment: path }")
        let plain = try catalog("{ scheme: https, hosts: [shop.example] }")
        let found = try findings(routed, plain)
        let change = try #require(found.first { $0.rule == .authorityChanged }, "\(found.map(\.message))")
        #expect(change.witness?.contains("/#/") == true, "\(change.witness ?? "-")")
        #expect(change.severity == .breaking)
        // Links that led nowhere revive.
        let back = try findings(plain, routed)
        let revived = try #require(back.first { $0.rule == .linkRevives }, "\(back.map(\.message))")
        #expect(revived.witness?.contains("/#/") == true, "\(revived.witness ?? "-")")
        #expect(back.allSatisfy { $0.severity == .info })
    }

    @Test
    func `a fixed value that changes is a change of parameters, not of the place`() throws {
        func catalog(_ value: String?) throws -> RouteCatalog {
            try self.catalog(
                "{ scheme: shop, hosts: [shop.example] }",
                more: value.map { ", kind: { type: string, value: \($0) }" } ?? ""
            )
        }
        let found = try findings(try catalog("new"), try catalog("sale"))
        let change = try #require(found.first { $0.rule == .linkParametersChanged }, "\(found.map(\.message))")
        #expect(change.identity.subject.parameter == "kind")
        #expect(change.identity.old == "always new" && change.identity.new == "always sale")
        #expect(change.severity == .risk)
        #expect(!found.contains { $0.rule == .linkDestinationChanged })
        #expect(try findings(try catalog("new"), try catalog("new")).isEmpty)
        let gone = try findings(try catalog("new"), try catalog(nil))
        #expect(gone.contains { $0.rule == .parameterRemoved })
        #expect(!gone.contains { $0.rule == .linkDestinationChanged }, "\(gone.map(\.message))")
    }

    @Test
    func `the level of a redirecting route is told, though its only made link leads nowhere`() throws {
        func catalog(_ level: String) throws -> RouteCatalog {
            let text = """
                version: 1
                origins: [{ scheme: https, hosts: [shop.example] }]
                gates: { signedInUser: /login }
                entry: { home: root, login: root }
                routes:
                  home: { path: "", opens: { forward: push } }
                  forward: { link: to, authorizationLevel: \(level) }
                  login: {}

                """
            return try CatalogLoader.load(Array(text.utf8), file: "catalog.yaml")
        }
        let found = try findings(try catalog("none"), try catalog("signedInUser"))
        let change = try #require(found.first { $0.rule == .levelRaised }, "\(found.map(\.message))")
        #expect(change.identity.subject.route == "forward" && change.witness == nil)
        #expect(try findings(try catalog("none"), try catalog("none")).isEmpty)
    }

    @Test
    func `a logged link leads to fixed values too`() throws {
        let catalog = try catalog(
            "{ scheme: shop, hosts: [shop.example] }",
            more: ", kind: { type: string, value: sale }"
        )
        let request = ResolutionRequest(link: try DeepLink("shop://shop.example/secret/item/7"))
        guard case .plan(let plan) = resolve(request, userLevel: .none, catalog: catalog) else {
            Issue.record("no plan")
            return
        }
        #expect(ReplayableLink.of(plan) == "shop://shop.example/x/item/1")
    }
}
