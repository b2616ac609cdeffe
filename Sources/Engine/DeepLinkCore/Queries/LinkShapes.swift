extension RouteCatalog {
    /// Returns the shapes of the paths that resolve, each after its prefixes.
    ///
    /// If routes open each other in a cycle, and beyond `maximumDepth` segments, the shapes end and allow any
    /// continuation.
    ///
    /// - Parameters:
    ///   - app: the app for which ``LinkShape/opens`` says whether it opens the links, or `nil` for the unnamed app, which
    ///     opens the links of every app.
    ///   - maximumDepth: the maximum number of segments of a shape.
    ///   - maximumCount: the maximum number of shapes.
    /// - Returns: `nil` if there are more than `maximumCount` shapes.
    /// - Complexity: linear in the shapes and their segments.
    package func linkShapes(for app: AppIndex? = nil, maximumDepth: Int, maximumCount: Int) -> [LinkShape]? {
        var walk = LinkShapeWalk(self, app: app, maximumDepth: maximumDepth, maximumCount: maximumCount)
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

    init(_ catalog: RouteCatalog, app: AppIndex?, maximumDepth: Int, maximumCount: Int) {
        self.catalog = catalog
        graph = catalog.graph
        tops = TopRoutes(catalog, app: app)
        self.maximumDepth = maximumDepth
        self.maximumCount = maximumCount
        isOnWay = [Bool](repeating: false, count: graph.routes.count)
    }

    mutating func run() -> [LinkShape]? {
        if let root = emptyPath() { shapes.append(root) }
        return walk(from: .init(route: graph.entryNode, app: nil), []) ? shapes : nil
    }

    /// The shape of the empty path, if a link with it resolves.
    private mutating func emptyPath() -> LinkShape? {
        guard let link = try? DeepLink(reference: [ASCII.slash]) else { return nil }
        let start = TopRoutes.StackEnd(route: graph.entryNode, app: nil)
        var edges = graph.opens(graph.entryNode).filter { graph.edges[$0].takesEmptyPath }
        var stack: [TopRoutes.StackEnd] = []
        do throws(StackSearchError) {
            let path = RoutedPath(link: link, start: link.spans.path.start)
            for element in try Resolver(catalog).stack(of: path).stack {
                stack.append((stack.last ?? start).opening(graph.edges[element.edge]))
            }
            // In a catalog of several apps, another edge counts only if a key of the query chooses it.
            if catalog.dividesApps {
                edges = edges.filter { !graph.packed[$0].isAlone }
                stack = stack.suffix(1)
            }
        } catch .unmatched {
            return nil
        } catch {
            // A key of the query may hold the missing value.
        }
        let opened = edges.map { start.opening(graph.edges[$0]) }
        let openedRoutes = TopRoutes.OpenedRoutes(
            routes: opened + stack,
            tops: opened.map(tops.top) + stack.suffix(1),
            canContinue: false
        )
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
            keptRoutes: tops.kept,
            keptKeys: tops.keys
        )
    }

    /// Collects the shapes that continue from a node, after some segments.
    ///
    /// - Returns: Whether the shapes are within the limit.
    private mutating func walk(from end: TopRoutes.StackEnd, _ prefix: [LinkShape.Segment]) -> Bool {
        for index in graph.opens(end.route) {
            let edge = graph.edges[index]
            guard edge.takesPath else { continue }
            let opened = end.opening(edge, inserted: graph.appOfInitials(of: end.route, before: index))
            for expansion in edge.expansions {
                stepCount += 1
                guard stepCount <= 4 * maximumCount, shapes.count <= maximumCount else { return false }
                guard !expansion.parts.isEmpty else {
                    guard walk(from: opened, prefix) else { return false }
                    continue
                }
                guard append(edge, to: opened, expansion: expansion, prefix: prefix) else { return false }
            }
        }
        return shapes.count <= maximumCount
    }

    private mutating func append(
        _ edge: Edge,
        to end: TopRoutes.StackEnd,
        expansion: PathExpansion,
        prefix: [LinkShape.Segment]
    ) -> Bool {
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
            routes: [end],
            tops: [tops.top(of: end)],
            canContinue: isCut
        )
        shapes.append(
            shape(Array(segments.prefix(maximumDepth)), continues: isRest || isCut, openedRoutes: openedRoutes)
        )
        guard canContinue, !isCircle, segments.count < maximumDepth else { return true }
        let wasOnWay = isOnWay[edge.child]
        isOnWay[edge.child] = true
        defer { isOnWay[edge.child] = wasOnWay }
        return walk(from: end, segments)
    }
}
