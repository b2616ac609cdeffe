/// Which routes links of one path may put on top, in the app or in the browser.
struct LinkTops {
    /// The routes that some links may put on top.
    struct Tops {
        /// Whether one of them is opened in the app.
        var app = false

        /// Those that are kept in the browser, in the order of the file.
        var browser: [Int] = []
    }

    /// Where links of one path lead to, and whether the path may go on from there.
    struct Ways: Hashable {
        /// The routes that the path may put on the stack.
        var routes: [Int]

        /// Those of them, or what they show, that are on top then.
        var tops: [Int]

        /// Whether segments may follow.
        let goesOn: Bool
    }

    private let catalog: RouteCatalog
    private let hasBrowserRoutes: Bool
    private var known: [Ways: Tops] = [:]

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        hasBrowserRoutes = catalog.graph.routes.contains { $0.page?.opens == .web }
    }

    /// Finds the routes that are on top of links which lead along some ways.
    ///
    /// Without a further segment, keys of the query open more from there, and from the initial children that those show: a
    /// route with a key of its own, and one without segments where a key holds its parameter.
    ///
    /// - Complexity: linear in the routes and edges that can be reached, once for the same ways; constant where no route is
    ///   kept in the browser.
    mutating func all(along ways: Ways) -> Tops {
        guard hasBrowserRoutes else { return Tops(app: true) }
        if let known = known[ways] { return known }
        let graph = catalog.graph
        var seen = [Bool](repeating: false, count: graph.routes.count)
        var tops = Set(ways.tops)
        var next = ways.routes
        while let route = next.popLast() {
            guard !seen[route] else { continue }
            seen[route] = true
            next += shown(by: route)
            for edge in graph.opens(route).lazy.map({ graph.edges[$0] }) where edge.isLinkable {
                guard ways.goesOn || edge.queryKey != nil || edge.takesEmptyPath else { continue }
                let child = edge.child
                tops.insert(top(of: child))
                next.append(child)
            }
        }
        let isKept = { (route: Int) in graph.routes[route].page?.opens == .web }
        let found = Tops(app: !tops.allSatisfy(isKept), browser: tops.filter(isKept).sorted())
        known[ways] = found
        return found
    }

    /// The route that is on top where a link ends at another: it, or the last of those that it shows.
    func top(of route: Int) -> Int { shown(by: route).last ?? route }

    /// The routes that one shows by itself: behind a container that opens nothing, and the initial children in turn.
    private func shown(by route: Int) -> [Int] {
        let automaton = catalog.automaton
        var shown: [Int] = []
        if let node = automaton.states[automaton.roots[route]].chain.map({ automaton.chains[$0].node }) {
            shown.append(node)
        }
        while let initial = catalog.graph.initials[shown.last ?? route] {
            shown.append(catalog.graph.edges[initial].child)
        }
        return shown
    }
}

extension Edge {
    /// Whether links can take the edge without a segment of their path.
    var takesEmptyPath: Bool { takesPath && expansions.contains { $0.parts.isEmpty } }
}
