import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

@Suite struct PathMatcherTests {
    private func steps<Observer: MatchObserver>(
        _ link: DeepLink,
        _ catalog: RouteCatalog,
        _ observer: Observer
    ) -> [MatchStep]? {
        guard let (_, start) = catalog.origin(of: link) else { return nil }
        var matcher = PathMatcher(observer: observer)
        return matcher.match(link, from: start, at: catalog.graph.entryNode, in: catalog) ? Array(matcher.steps) : nil
    }

    @Test func `the short way finds what the search finds, on generated catalogs`() async {
        var matched = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(4) {
                let searched = steps(link, generated.catalog, FurthestFailure())
                #expect(
                    steps(link, generated.catalog, UnobservedMatch()) == searched,
                    "seed \(generated.seed): \(link.text)"
                )
                if searched != nil { matched += 1 }
            }
        }
        #expect(matched > Effort.part(of: 15_000), "\(matched)")
    }

    @Test func `a match names the edges of the path`() throws {
        let catalog = try SampleApp.catalog()
        let link = try DeepLink("navigation://loremipsum.com/characters/character/1/character/2?sheet=test")
        let edges = try #require(catalog.match(link)).edges(in: catalog)
        let routes = edges.map { catalog.routes[catalog.edges[$0].child].name }
        #expect(routes == ["tabBar", "characters", "character", "character"])
        #expect(catalog.match(try DeepLink("navigation://loremipsum.com/characters/nobody")) == nil)
        #expect(catalog.match(try DeepLink("other://loremipsum.com/characters")) == nil)
    }

    @Test func `a path of more routes than a short list holds in place is matched`() throws {
        let catalog = try SampleApp.catalog()
        let path = (1...40).map { "/character/\($0)" }.joined()
        let link = try DeepLink("navigation://loremipsum.com/characters\(path)")
        let edges = try #require(catalog.match(link)).edges(in: catalog)
        #expect(edges.count == 42)
    }
}
