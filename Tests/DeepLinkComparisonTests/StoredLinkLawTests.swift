import DeepLinkCatalog
import DeepLinkCore
import Testing

/// The laws of links that are stored with their stacks, over pairs of catalogs of which the new one is no edit of the old.
@Suite
struct `Laws of stored links` {
    /// A link of the old catalog, as a store keeps it.
    private struct Kept {
        let link: StoredLink
        let catalog: RouteCatalog
    }

    /// Links of the shop, in all forms that its routes have.
    private static let links = [
        "/", "/feed", "/search?q=a%20b&page=2&tags=x&tags=y", "/search?sort=name", "/cart", "/item/5", "/i/7?color=red",
        "/item/9?size=xl&color=blue", "/feed/item/3", "/item/4/reviews?from=2026-01-02", "/item/5?zoom=3",
        "/item/5/zoom?level=3", "/feed/help", "/help", "/stock/3", "/stock/xs", "/prices?low=1", "/prices?low=1&high=2",
        "/legacy", "/welcome", "/login", "/offer", "/feed/item/3/reviews",
    ]

    private func plan(_ link: DeepLink, _ catalog: RouteCatalog) -> RoutePlan? {
        let resolution = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
        return if case .plan(let plan) = resolution { plan } else { nil }
    }

    /// The links of a catalog that can be stored.
    private func kept(_ catalog: RouteCatalog) throws -> [Kept] {
        try Self.links.compactMap { path in
            guard let stack = plan(try DeepLink("https://shop.example" + path), catalog)?.stack,
                let text = try? link(to: stack, catalog: catalog)
            else { return nil }
            return Kept(link: StoredLink(text: text, stack: stack), catalog: catalog)
        }
    }

    /// Whether a stack has the routes, presentations and values of a stored one.
    private func keeps(_ stack: [Destination], _ stored: [Destination]) -> Bool {
        stack.count == stored.count
            && zip(stack, stored)
                .allSatisfy { new, old in
                    new.route.utf8.elementsEqual(old.route.utf8) && new.presentation == old.presentation
                        && old.parameters.allSatisfy(new.parameters.contains)
                }
    }

    @Test
    func `a stored link leads to its own shape by every catalog, or is broken`() throws {
        var (working, renewed, broken) = (0, 0, 0)
        for pair in try ShopPair.all(seed: 41, count: 60) {
            for kept in try kept(pair.old) {
                let stored = kept.link
                guard let link = try? pair.new.link(to: stored) else {
                    broken += 1
                    // A link to the very stack would have been found.
                    let former = try? DeepLink(stored.text)
                    let stack = former.flatMap { plan($0, pair.new)?.stack }
                    #expect(stack != stored.stack, "\(stored.text) \(pair.testDescription)")
                    continue
                }
                let stack = try #require(plan(link, pair.new)?.stack, "\(link.text) \(pair.testDescription)")
                #expect(keeps(stack, stored.stack), "\(stored.text) → \(link.text) \(pair.testDescription)")
                working += 1
                if link.text.utf8.elementsEqual(stored.text.utf8) == false { renewed += 1 }
            }
        }
        // All outcomes were met.
        #expect(working > 100)
        #expect(renewed > 0)
        #expect(broken > 0)
    }

    @Test
    func `the catalog that a link was stored by answers with its text`() throws {
        for pair in try ShopPair.all(seed: 42, count: 30) {
            for kept in try kept(pair.old) {
                let link = try kept.catalog.link(to: kept.link)
                #expect(link.text.utf8.elementsEqual(kept.link.text.utf8), "\(kept.link.text) \(pair.testDescription)")
            }
        }
    }

    private func followed(_ path: String, _ edits: (String, String)...) throws -> String {
        let old = try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml")
        var text = Shop.text
        for (part, other) in edits {
            #expect(text.contains(part))
            text = text.replacing(part, with: other)
        }
        let new = try CatalogLoader.load(Array(text.utf8), file: "new.yaml")
        let stack = try #require(plan(try DeepLink("https://shop.example" + path), old)?.stack)
        let stored = StoredLink(text: try link(to: stack, catalog: old), stack: stack)
        do throws(BrokenLinkError) {
            return try new.link(to: stored).text.replacing(/^[a-z]+:\/\/shop.example/, with: "")
        } catch {
            return switch error {
            case .unresolved: "unresolved"
            case .unprinted: "unprinted"
            }
        }
    }

    @Test
    func `a renamed path keeps its links`() throws {
        #expect(try followed("/legacy", ("path: legacy", "path: bequest")) == "/bequest")
        #expect(
            try followed("/item/5?color=red", ("path: item/{id}", "path: \"article/{id}\"")) == "/article/5?color=red"
        )
    }

    @Test
    func `a path that another route has taken does not lead there`() throws {
        let taken = ("welcome: {}", "welcome: { path: legacy }")
        #expect(try followed("/legacy", ("path: legacy", "path: old"), taken, ("/welcome", "/legacy")) == "/old")
        #expect(
            try followed(
                "/legacy",
                ("home: root, legacy: root", "home: root"),
                ("  legacy: { path: legacy }\n", ""),
                taken,
                ("/welcome", "/legacy")
            ) == "unprinted"
        )
    }

    @Test
    func `a route that is gone, or does not take the value, breaks its links`() throws {
        #expect(
            try followed(
                "/legacy",
                ("home: root, legacy: root", "home: root"),
                ("  legacy: { path: legacy }\n", "")
            ) == "unresolved"
        )
        #expect(
            try followed("/prices?low=1", ("parameters: { low: int }", "parameters: { low: { type: int, min: 2 } }"))
                != "/prices?low=1"
        )
    }
}
