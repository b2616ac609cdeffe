extension RouteCatalog {
    /// Returns the shapes of the paths that resolve, each after its prefixes.
    ///
    /// If routes open each other in a cycle, and beyond `maximumDepth` segments, the shapes end and allow any
    /// continuation.
    ///
    /// - Returns: `nil` if there are more than `maximumCount` shapes.
    /// - Complexity: linear in the shapes and their segments.
    package func linkShapes(maximumDepth: Int, maximumCount: Int) -> [LinkShape]? {
        var walk = LinkShapeWalk(self, maximumDepth: maximumDepth, maximumCount: maximumCount)
        return walk.run()
    }
}

/// The walk through a catalog that lists its shapes.
private struct LinkShapeWalk {
    private let graph: CatalogGraph
    private let catalog: RouteCatalog
    private let maximumDepth: Int
    private let maximumCount: Int
    private var shapes: [LinkShape] = []
    private var isOnWay: [Bool]
    private var stepCount = 0
    private var tops: TopRoutes

    init(_ catalog: RouteCatalog, maximumDepth: Int, maximumCount: Int) {
        self.catalog = catalog
        graph = catalog.graph
        tops = TopRoutes(catalog)
        self.maximumDepth = maximumDepth
        self.maximumCount = maximumCount
        isOnWay = [Bool](repeating: false, count: graph.routes.count)
    }

    mutating func run() -> [LinkShape]? {
        if let root = emptyPath() { shapes.append(root) }
        return walk(from: graph.entryNode, []) ? shapes : nil
    }

    /// The shape of the empty path, if a link with it resolves.
    private mutating func emptyPath() -> LinkShape? {
        guard let link = try? DeepLink(reference: [ASCII.slash]) else { return nil }
        let opened = graph.opens(graph.entryNode).filter { graph.edges[$0].takesEmptyPath }
            .map { graph.edges[$0].child }
        var openedRoutes = TopRoutes.OpenedRoutes(routes: opened, tops: opened.map(tops.top), canContinue: false)
        do throws(StackSearchError) {
            let stack = try Resolver(catalog).stack(of: RoutedPath(link: link, start: link.spans.path.start)).stack
                .map { graph.edges[$0.edge].child }
            openedRoutes.routes += stack
            openedRoutes.tops += stack.suffix(1)
        } catch .unmatched {
            return nil
        } catch {
            // A key of the query may hold the missing value.
        }
        return openedRoutes.routes.isEmpty ? nil : shape([], continues: false, openedRoutes: openedRoutes)
    }

    /// Creates the shape of links to some routes.
    private mutating func shape(_ segments: [LinkShape.Segment], continues: Bool, openedRoutes: TopRoutes.OpenedRoutes)
        -> LinkShape
    {
        let tops = tops.all(along: openedRoutes)
        return LinkShape(
            segments: segments,
            continues: continues,
            opens: tops.app ? .app : .web,
            browserRoutes: tops.browser
        )
    }

    /// Collects the shapes that continue from a node, after some segments.
    ///
    /// - Returns: Whether the shapes are within the limit.
    private mutating func walk(from node: Int, _ prefix: [LinkShape.Segment]) -> Bool {
        for index in graph.opens(node) {
            let edge = graph.edges[index]
            guard edge.takesPath else { continue }
            for expansion in edge.expansions {
                stepCount += 1
                guard stepCount <= 4 * maximumCount, shapes.count <= maximumCount else { return false }
                guard !expansion.parts.isEmpty else {
                    guard walk(from: edge.child, prefix) else { return false }
                    continue
                }
                guard append(edge, expansion: expansion, prefix: prefix) else { return false }
            }
        }
        return shapes.count <= maximumCount
    }

    private mutating func append(_ edge: Edge, expansion: PathExpansion, prefix: [LinkShape.Segment]) -> Bool {
        let segments =
            prefix
            + expansion.parts.map { part -> LinkShape.Segment in
                switch part {
                case .literal(let text): .literal(text)
                case .parameter(let index), .rest(let index):
                    .value(edge.parameters[index].type.segmentType ?? .anyText)
                case .compound: .compound
                case .wildcard, .wildcardRest: .value(.anyText)
                }
            }
        let isRest = expansion.parts.contains { $0.isRest }
        let isTooDeep = segments.count > maximumDepth
        let isCircle = isOnWay[edge.child] && graph.continues[edge.child]
        let canContinue = graph.continues[edge.child] && !isRest
        let isCut = isTooDeep || isCircle || (canContinue && segments.count == maximumDepth)
        let openedRoutes = TopRoutes.OpenedRoutes(
            routes: [edge.child],
            tops: [tops.top(of: edge.child)],
            canContinue: isCut
        )
        shapes.append(
            shape(Array(segments.prefix(maximumDepth)), continues: isRest || isCut, openedRoutes: openedRoutes)
        )
        guard canContinue, !isCircle, segments.count < maximumDepth else { return true }
        let wasOnWay = isOnWay[edge.child]
        isOnWay[edge.child] = true
        defer { isOnWay[edge.child] = wasOnWay }
        return walk(from: edge.child, segments)
    }
}
