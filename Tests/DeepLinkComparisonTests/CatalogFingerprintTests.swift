import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Testing

/// The grounds on which links of a shape are working or broken, over pairs of catalogs.
@Suite struct CatalogFingerprintTests {
    /// Links of the shop, in all forms that its routes have.
    private static let links = [
        "/", "/feed", "/search?q=a%20b&page=2&tags=x&tags=y", "/search?sort=name", "/cart", "/item/5", "/i/7?color=red",
        "/item/9?size=xl&color=blue", "/feed/item/3", "/item/4/reviews?from=2026-01-02", "/item/5?zoom=3",
        "/item/5/zoom?level=3", "/feed/help", "/help", "/stock/3", "/stock/xs", "/prices?low=1", "/prices?low=1&high=2",
        "/legacy", "/welcome", "/login", "/offer", "/feed/item/3/reviews",
    ]

    private func target(_ path: String, in catalog: RouteCatalog) throws -> ShortLinkTarget? {
        let request = ResolutionRequest(link: try DeepLink("https://shop.example" + path))
        guard case .plan(let plan) = resolve(request, permissions: .all, catalog: catalog),
            let text = try? link(to: plan.stack, catalog: catalog)
        else { return nil }
        return ShortLinkTarget(stack: plan.stack, text: text)
    }

    private func isWorking(_ target: ShortLinkTarget, in catalog: RouteCatalog) -> Bool {
        let state = ShortLinkState(
            of: ShortLinkContents(target: target),
            at: Timestamp(millisecondsSinceEpoch: 0),
            in: catalog
        )
        return if case .working = state { true } else { false }
    }

    @Test func `what works on some grounds works on the same grounds in every catalog`() throws {
        var (same, other, broken) = (0, 0, 0)
        for pair in try ShopPair.all(seed: 43, count: 80) {
            for path in Self.links {
                guard let target = try target(path, in: pair.old) else { continue }
                #expect(isWorking(target, in: pair.old))
                let grounds = CatalogFingerprint.digest(of: target.shape, in: pair.old)
                #expect(grounds != 0)
                if CatalogFingerprint.digest(of: target.shape, in: pair.new) == grounds {
                    #expect(isWorking(target, in: pair.new), "\(path) \(pair.testDescription)")
                    same += 1
                } else {
                    other += 1
                    if !isWorking(target, in: pair.new) { broken += 1 }
                }
            }
        }
        // All cases were met.
        #expect(same > 100)
        #expect(other > 100)
        #expect(broken > 0)
    }

    /// The paths whose shapes have other grounds in the shop with a part of its text replaced.
    private func concerned(_ part: String, _ other: String) throws -> [String] {
        #expect(Shop.text.contains(part))
        let old = try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml")
        let new = try CatalogLoader.load(Array(Shop.text.replacing(part, with: other).utf8), file: "new.yaml")
        return try Self.links.filter { path in
            guard let shape = try target(path, in: old)?.shape else { return false }
            return CatalogFingerprint.digest(of: shape, in: old) != CatalogFingerprint.digest(of: shape, in: new)
        }
    }

    @Test func `a change concerns the shapes that pass its edges, and no others`() throws {
        #expect(try concerned("path: legacy", "path: bequest") == ["/legacy"])
        #expect(try concerned("\n  home:", "\n\n  home:") == [])
        let prices = try concerned("parameters: { low: int }", "parameters: { low: { type: int, min: 2 } }")
        #expect(prices == ["/prices?low=1"])
    }
}
