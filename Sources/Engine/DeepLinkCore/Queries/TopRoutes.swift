/// The topmost routes of links with one path, in the app or in the browser.
struct TopRoutes {
    /// The topmost routes of some links.
    struct Tops {
        /// Whether some link opens in the app.
        var app = false

        /// The routes that open in the browser, in the order of the file.
        var browser: [Int] = []
    }

    /// The routes of links with one path, and whether the path may continue from there.
    struct OpenedRoutes: Hashable {
        /// The routes that the path may add to the stack.
        var routes: [Int]

        /// The topmost routes, initial children included.
        var tops: [Int]

        /// Whether further segments may follow.
        let canContinue: Bool
    }

    private let catalog: RouteCatalog
    private let hasBrowserRoutes: Bool
    private var known: [OpenedRoutes: Tops] = [:]

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        hasBrowserRoutes = catalog.graph.routes.contains { $0.page?.opens == .web }
    }

    /// Returns the topmost routes of links to some routes.
    ///
    /// Without a further segment, keys of the query open more from there, and from the initial children: a route with
    /// its own key, or a route without segments and with a parameter that a key holds.
    ///
    /// - Complexity: linear in the reachable routes and edges, once for equal arguments, and constant if no route opens
    ///   in the browser.
    mutating func all(along openedRoutes: OpenedRoutes) -> Tops {
        guard hasBrowserRoutes else { return Tops(app: true) }
        if let known = known[openedRoutes] { return known }
        let graph = catalog.graph
        var seen = [Bool](repeating: false, count: graph.routes.count)
        var tops = Set(openedRoutes.tops)
        var next = openedRoutes.routes
        while let route = next.popLast() {
            guard !seen[route] else { continue }
            seen[route] = true
            next += shown(by: route)
            for edge in graph.opens(route).lazy.map({ graph.edges[$0] }) where edge.isLinkable {
                guard openedRoutes.canContinue || edge.queryKey != nil || edge.takesEmptyPath else { continue }
                let child = edge.child
                tops.insert(top(of: child))
                next.append(child)
            }
        }
        let isKept = { (route: Int) in graph.routes[route].page?.opens == .web }
        let found = Tops(app: !tops.allSatisfy(isKept), browser: tops.filter(isKept).sorted())
        known[openedRoutes] = found
        return found
    }

    /// Returns the topmost route of a link that ends at another: that route, or the last of its initial children.
    func top(of route: Int) -> Int { shown(by: route).last ?? route }

    /// Returns the routes that a route shows by default: a container that opens nothing, if there is one, and then the
    /// initial children in turn.
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
    /// Whether links can take the edge without a path segment.
    var takesEmptyPath: Bool { takesPath && expansions.contains { $0.parts.isEmpty } }
}
