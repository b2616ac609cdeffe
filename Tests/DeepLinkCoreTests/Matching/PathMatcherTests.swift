import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

@Suite struct PathMatcherTests {
    /// The steps that the whole search finds.
    private func searched(_ link: DeepLink, _ catalog: RouteCatalog) -> [MatchStep]? {
        guard let (key, start) = catalog.origin(of: link),
            let path = try? catalog.routedPath(of: link, key, from: start)
        else { return nil }
        var search = RouteSearch(path.link.pathBytes, catalog: catalog)
        let found = PathMatcher.search(&search, from: path.start, at: catalog.graph.entryNode)
        return (try? found.get()).map(Array.init)
    }

    /// The steps that are found the short way if there is one.
    private func matched(_ link: DeepLink, _ catalog: RouteCatalog) -> [MatchStep]? {
        guard let (key, start) = catalog.origin(of: link),
            let path = try? catalog.routedPath(of: link, key, from: start)
        else { return nil }
        var matcher = PathMatcher()
        return matcher.match(path.link, from: path.start, at: catalog.graph.entryNode, in: catalog)
            ? Array(matcher.steps) : nil
    }

    @Test func `the short way finds what the search finds, on generated catalogs`() async {
        var count = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(4) {
                let searched = searched(link, generated.catalog)
                #expect(matched(link, generated.catalog) == searched, "seed \(generated.seed): \(link.text)")
                if searched != nil { count += 1 }
            }
        }
        #expect(count > Effort.part(of: 15_000), "\(count)")
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
