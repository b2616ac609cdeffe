import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct ExplanationTests {
    private static let catalog = """
        version: 1
        origins: [{ scheme: https, hosts: [a.test] }, { scheme: https, hosts: [f.test], fragment: path }]
        entry: { item: root, go: root }
        routes:
          item: { path: "item/{w}x{h}", parameters: { w: int, h: int } }
          go: { link: to }
        """

    private func steps(_ text: String) throws -> [String] {
        let catalog = try CatalogLoader.load(Array(Self.catalog.utf8), file: "explained.yaml")
        let request = ResolutionRequest(link: try DeepLink(text))
        return explain(request, permissions: Permissions(level: .none), catalog: catalog).steps
            .map { "\($0.outcome.rawValue) \($0.route ?? "-") \($0.offset.map(String.init) ?? "-"): \($0.reason)" }
    }

    @Test func `a fragment that no origin routes is told`() throws {
        #expect(
            try steps("https://a.test/item/3x4#top") == [
                "matched item 15: `item/3x4` fits the pattern.",
                "rejected - 24: No origin routes the fragment `top`; it is not used.",
            ]
        )
    }

    @Test func `what stands in a fragment has its place in the link`() throws {
        #expect(
            try steps("https://f.test/#/item/3xz") == [
                "rejected item 22: `z` does not fit the parameter `h`; expected a whole number."
            ]
        )
        #expect(
            try steps("https://f.test/#/item/3") == [
                "rejected item 22: `3` does not fit the pattern; expected {a whole number}x{a whole number}."
            ]
        )
    }

    @Test func `a link in a link is followed`() throws {
        #expect(
            try steps("https://a.test/go?to=https%3A%2F%2Ff.test%2F%23item%2F1x2#out") == [
                "matched go 15: `go` fits the pattern.",
                "rejected - 58: No origin routes the fragment `out`; it is not used.",
                "opened go 41: The link in `to` is resolved in its place.",
                "matched item 47: `item/1x2` fits the pattern.",
            ]
        )
    }
}
