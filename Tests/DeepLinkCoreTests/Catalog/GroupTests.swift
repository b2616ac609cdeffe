import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

@testable import DeepLinkCatalog

/// Checks that a group means its edges, written out in each route that names it.
@Suite struct GroupTests {
    /// The JSON of a catalog without the places of its declarations.
    private func content(_ catalog: RouteCatalog, namingGroups: Bool = false) -> String {
        String(decoding: CatalogBody(catalog, namingGroups: namingGroups).json, as: UTF8.self)
            .replacing(/,"location":\{[^}]*\}/, with: "")
            .replacing(/"catalogVersion":"[^"]*"/, with: "")
    }

    private func common(inGroup: Bool) throws -> RouteCatalog {
        try CatalogLoader.load(Array(CommonScreens.text(inGroup: inGroup).utf8), file: "common.yaml")
    }

    @Test func `a catalog with a group has the edges of one by hand`() throws {
        let (grouped, byHand) = (try common(inGroup: true), try common(inGroup: false))
        #expect(
            grouped.edges.count == 1 + CommonScreens.tabCount * (1 + CommonScreens.count) + CommonScreens.count
                * CommonScreens.count
        )
        #expect(content(grouped) == content(byHand))
        #expect(grouped.groups.map(\.name) == ["common"])
        #expect(grouped.groups.first?.edges.count == CommonScreens.count)
        #expect(grouped.declaredEdges.count == 1 + CommonScreens.tabCount + CommonScreens.count)
        #expect(byHand.groups.isEmpty && byHand.declaredEdges.count == byHand.edges.count)
    }

    @Test func `a bundle is that of the catalog by hand, but for the places`() throws {
        func bundle(_ catalog: RouteCatalog) -> String {
            let bytes = BundleDocument.bytes(of: catalog, sequence: 7, issuedAt: Timestamp(millisecondsSinceEpoch: 0))
            return String(decoding: bytes, as: UTF8.self).replacing(/,"location":\{[^}]*\}/, with: "")
                .replacing(catalog.version, with: "")
        }
        let grouped = bundle(try common(inGroup: true))
        #expect(grouped == bundle(try common(inGroup: false)))
        #expect(!grouped.contains("\"group\""))
    }

    @Test func `the JSON names the group of each edge, and loads as the same catalog`() throws {
        let text = """
            version: 1
            origins: [{ scheme: app }]
            entry: { home: { presentation: root, initial: true } }
            groups: { one: { post: push, user: push }, two: { post: { presentation: sheet, path: quick } } }
            routes:
              home: { opens: { user: { presentation: sheet, path: me } }, groups: [two, one] }
              post: { groups: [one] }
              user: {}
            """
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "groups.yaml")
        #expect(catalog.routes.map(\.groups) == [["two", "one"], ["one"], []])
        let opens =
            #""opens":[{"route":"user","presentation":"sheet","path":"me","aliases":[]},"#
            + #"{"route":"user","presentation":"push","group":"one"},"#
            + #"{"route":"post","presentation":"sheet","path":"quick","aliases":[],"group":"two"},"#
            + #"{"route":"post","presentation":"push","group":"one"}]"#
        #expect(content(catalog, namingGroups: true).contains(opens), "\(content(catalog, namingGroups: true))")
        let again = try CatalogLoader.load(CatalogBody(catalog).json, file: "catalog.json")
        #expect(content(again, namingGroups: true) == content(catalog, namingGroups: true))
        #expect(again.groups.map(\.edges.count) == catalog.groups.map(\.edges.count))
    }

    @Test func `a fault of a group's edge is one issue, with the number of its routes`() throws {
        let routes = (0..<50).map { "  r\($0): { groups: [common] }\n" }.joined()
        let entry = (0..<50).map { "r\($0): root" }.joined(separator: ", ")
        let text = """
            version: 1
            origins: [{ scheme: app }]
            entry: { \(entry) }
            groups: { common: { a: { presentation: root }, b: { presentation: sheet, query: k }, c: { presentation: sheet, query: k } } }
            routes:
              a: {}
              b: {}
              c: {}
            \(routes)
            """
        let error = #expect(throws: CatalogError.self) {
            try CatalogLoader.load(Array(text.utf8), file: "faults.yaml")
        }
        #expect(
            error?.issues.map(\.message) == [
                "`r0` opens `a` as `root`, which only `entry` can. The same holds for 49 other routes with the group `common`.",
                "The query key `k` opens both `b` and `c` from `r0`. The same holds for 49 other routes with the group `common`.",
            ]
        )
    }

    @Test func `groups that stand for more edges than memory holds are refused`() throws {
        let names = (0..<400).map { "r\($0)" }
        let text =
            "version: 1\norigins: [{ scheme: app }]\nentry: { r0: root }\ngroups: { all: { "
            + names.map { "\($0): push" }.joined(separator: ", ") + " } }\nroutes:\n"
            + names.map { "  \($0): { groups: [all] }\n" }.joined()
        let error = #expect(throws: CatalogError.self) {
            try CatalogLoader.load(Array(text.utf8), file: "large.yaml")
        }
        #expect(error?.issues.map(\.code) == [.tooLarge])
    }

    // MARK: Any catalog

    @Test func `edges that are moved to a group change nothing`() async throws {
        var (compared, refused) = (0, 0)
        for generated in await GeneratedCatalog.all.prefix(Effort.part(of: 1_000)) {
            await Task.yield()
            var generator = SeededGenerator(seed: generated.seed)
            guard let pair = try GroupedTree(generated.catalog, picking: &generator)?.trees else { continue }
            let loaded = pair.map { tree in
                Result { () throws(CatalogError) in
                    try DefinitionReader(log: IssueLog(file: "tree")).catalog(tree, version: "generated")
                }
            }
            switch (loaded[0], loaded[1]) {
            case (.success(let byHand), .success(let grouped)):
                compared += 1
                #expect(content(byHand) == content(grouped), "seed \(generated.seed)")
                #expect(grouped.edges.contains { $0.group == "g" })
                for link in generated.links(2) {
                    let answers = [byHand, grouped]
                        .map { catalog in
                            let request = ResolutionRequest(link: link)
                            return ResolutionSummary.lines(resolve(request, userLevel: .highest, catalog: catalog))
                        }
                    #expect(answers[0] == answers[1], "seed \(generated.seed): \(link.text)")
                }
            case (.failure(let byHand), .failure(let grouped)):
                refused += 1
                #expect(Set(byHand.issues.map(\.code)) == Set(grouped.issues.map(\.code)), "seed \(generated.seed)")
            default: Issue.record("seed \(generated.seed): \(loaded)")
            }
        }
        #expect(compared > Effort.part(of: 50), "\(compared) of \(compared + refused)")
    }
}

/// A generated catalog in the form of a file, twice: with some edges in several routes, and with these edges in a group.
private struct GroupedTree {
    /// The tree with the edges written out, and the tree with a group.
    let trees: [YAMLNode]

    /// Picks edges of one route and some routes that get them, or returns `nil` if no route has edges.
    init?(_ catalog: RouteCatalog, picking generator: inout SeededGenerator) throws {
        let log = IssueLog(file: "tree")
        let json = JSONText(CatalogBody(catalog).json).yaml
        guard let document = YAMLComposer.compose(json, reportingTo: log),
            let root = CatalogDocumentForm(log: log).file(document).pairs,
            let routes = root.first(where: { $0.key == "routes" })?.value.pairs
        else { return nil }
        let parents = routes.filter { $0.value["opens"]?.pairs?.isEmpty == false }
        guard !parents.isEmpty else { return nil }
        let parent = generator.pick(parents)
        let all = parent.value["opens"]?.pairs ?? []
        let first = generator.pick(all).key
        let group = all.filter { $0.key == first || generator.oneIn(2) }
        let takers = Set([parent.key] + routes.map(\.key).filter { _ in generator.oneIn(3) })
        /// Returns a route with its own edges, and the group's edges either written out or by name.
        func changed(_ route: YAMLPair, inGroup: Bool) -> YAMLPair {
            guard takers.contains(route.key) else { return route }
            var own = route.value["opens"]?.pairs ?? []
            if route.key == parent.key { own.removeAll { pair in group.contains { $0.key == pair.key } } }
            if !inGroup {
                for pair in group {
                    if let place = own.firstIndex(where: { $0.key == pair.key }) {
                        let items = [own[place].value, pair.value].flatMap { $0.items ?? [$0] }
                        own[place] = Self.pair(pair.key, .sequence(items))
                    } else {
                        own.append(pair)
                    }
                }
            }
            let others = (route.value.pairs ?? []).filter { $0.key != "opens" }
            let names = inGroup ? [Self.pair("groups", .sequence([Self.node(.scalar("g", isPlain: true))]))] : []
            return Self.pair(route.key, .mapping(others + [Self.pair("opens", .mapping(own))] + names))
        }
        trees = [false, true]
            .map { inGroup in
                let changed = routes.map { changed($0, inGroup: inGroup) }
                let groups = inGroup ? [Self.pair("groups", .mapping([Self.pair("g", .mapping(group))]))] : []
                let others = root.filter { $0.key != "routes" }
                return Self.node(.mapping(others + groups + [Self.pair("routes", .mapping(changed))]))
            }
    }

    private static func node(_ content: YAMLNode.Content) -> YAMLNode {
        YAMLNode(content: content, mark: YAMLMark(line: 1, column: 1))
    }

    private static func pair(_ key: String, _ content: YAMLNode.Content) -> YAMLPair {
        YAMLPair(key: key, mark: YAMLMark(line: 1, column: 1), value: node(content))
    }
}
