/// The topmost routes to which links with one path may lead, and whether these links open in an app.
struct TopRoutes {
    /// The topmost routes of some links.
    struct Tops {
        /// Whether some link opens in the app.
        var app = false

        /// The routes of links that don't open in the app, in the order of the file.
        var kept: [Int] = []

        /// The keys of the query with which links belong to another app, in the order of the file.
        var keys: [LinkShape.KeptKey] = []
    }

    /// A route on a stack, with the app of the stack up to it.
    struct StackEnd: Hashable {
        let route: Int

        /// The app of some destination up to the route, or `nil` if none has one.
        let app: AppIndex?

        /// Returns the end after an edge, with the app of the destinations inserted before it.
        func opening(_ edge: Edge, inserted: AppIndex? = nil) -> StackEnd {
            // A stack has one app at most, so that the first one counts.
            StackEnd(route: edge.child, app: app ?? inserted ?? edge.app)
        }
    }

    /// The routes of links with one path, and whether the path may continue from there.
    struct OpenedRoutes: Hashable {
        /// The routes that the path may add to the stack.
        var routes: [StackEnd]

        /// The topmost routes, initial children included.
        var tops: [StackEnd]

        /// Whether further segments may follow.
        let canContinue: Bool
    }

    private let catalog: RouteCatalog
    private let app: AppIndex?
    private let hasBrowserRoutes: Bool

    /// The keys that open routes of other apps and nothing else, with whether they always have a value.
    private let foreignKeys: [ByteText: Bool]
    private var known: [OpenedRoutes: Tops] = [:]

    /// Creates the topmost routes for an app, or for the unnamed one.
    init(_ catalog: RouteCatalog, app: AppIndex?) {
        self.catalog = catalog
        self.app = app
        hasBrowserRoutes = catalog.graph.routes.contains { $0.page?.opens == .web }
        foreignKeys = catalog.dividesApps ? Self.foreignKeys(of: catalog, for: app) : [:]
    }

    /// Returns the keys that open routes of other apps, that no other parameter reads, and whose values either open a route
    /// or make no link.
    private static func foreignKeys(of catalog: RouteCatalog, for app: AppIndex?) -> [ByteText: Bool] {
        var keys: [ByteText: Bool] = [:]
        var others: Set<ByteText> = []
        for edge in catalog.graph.edges {
            for parameter in edge.queryParameters {
                others.formUnion(parameter.keys.map { $0.bytewise }.filter { $0 != edge.queryKey?.bytewise })
                guard case .object(let fields) = parameter.type else { continue }
                others.formUnion(fields.map { $0.key.bytewise })
            }
            guard let key = edge.queryKey else { continue }
            guard let own = edge.app, own != app, edge.isLinkable, !edge.ignoresOpener,
                key.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0) })
            else {
                others.insert(key.bytewise)
                continue
            }
            let type = edge.queryParameters.first { $0.reads(key) }?.type(ofKey: key)
            let hasValue = type.map { $0.value(of: "") == nil && $0.bareValue == nil } ?? false
            keys[key.bytewise] = hasValue && keys[key.bytewise] != false
        }
        return keys.filter { !others.contains($0.key) }
    }

    /// Returns the topmost routes of links to some routes.
    ///
    /// Without a further segment, keys of the query open more from there, and from the initial children: a route with
    /// its own key, or a route without segments and with a parameter that a key holds.
    ///
    /// - Complexity: linear in the reachable routes and edges, once for equal arguments, and constant if no route opens
    ///   in the browser and none is in one app alone.
    mutating func all(along openedRoutes: OpenedRoutes) -> Tops {
        guard hasBrowserRoutes || catalog.dividesApps else { return Tops(app: true) }
        if let known = known[openedRoutes] { return known }
        var keys: [(name: String, child: StackEnd)] = []
        // A key below another one opens nothing without it.
        let only = openedRoutes.canContinue || openedRoutes.tops.count > 1 ? nil : openedRoutes.tops.first
        let tops = reach(openedRoutes) { end, edge in
            guard end == only, let key = edge.queryKey, foreignKeys[key.bytewise] != nil else { return false }
            keys.append((key, end.opening(edge)))
            return true
        }
        var found = Tops(app: !tops.allSatisfy(isKept), kept: Self.routes(tops.filter(isKept)))
        for (name, child) in keys {
            let behind = OpenedRoutes(routes: [child], tops: [top(of: child)], canContinue: false)
            let routes = Self.routes(reach(behind) { _, _ in false })
            if found.app {
                let hasValue = foreignKeys[name.bytewise] == true
                found.keys.append(LinkShape.KeptKey(name: name, routes: routes, hasValue: hasValue))
            } else {
                found.kept = Set(found.kept + routes).sorted()
            }
        }
        known[openedRoutes] = found
        return found
    }

    /// Returns whether links with a topmost route don't open in the app.
    private func isKept(_ end: StackEnd) -> Bool {
        catalog.graph.routes[end.route].page?.opens == .web || (end.app != nil && end.app != app)
    }

    private static func routes(_ ends: Set<StackEnd>) -> [Int] { Set(ends.map { $0.route }).sorted() }

    /// Returns the topmost routes of links to some routes, without those behind edges that a function takes out.
    private func reach(_ openedRoutes: OpenedRoutes, takingOut isTakenOut: (StackEnd, Edge) -> Bool) -> Set<StackEnd> {
        let graph = catalog.graph
        var seen: Set<StackEnd> = []
        var tops = Set(openedRoutes.tops)
        var next = openedRoutes.routes
        while let end = next.popLast() {
            guard seen.insert(end).inserted else { continue }
            let shown = shown(by: end)
            next += shown
            for index in graph.opens(end.route) where graph.edges[index].isLinkable {
                let edge = graph.edges[index]
                guard openedRoutes.canContinue || opens(index, without: shown), !isTakenOut(end, edge) else { continue }
                let inserted = openedRoutes.canContinue ? graph.appOfInitials(of: end.route, before: index) : nil
                let child = end.opening(edge, inserted: inserted)
                tops.insert(top(of: child))
                next.append(child)
            }
        }
        return tops
    }

    /// Returns whether an edge may open a route without a further segment, from a route that shows others by default.
    ///
    /// In a catalog of several apps, only the keys of the topmost route count, since a link of one app isn't a link of
    /// another.
    private func opens(_ index: EdgeIndex, without shown: [StackEnd]) -> Bool {
        let edge = catalog.graph.edges[index]
        guard catalog.dividesApps else { return edge.queryKey != nil || edge.takesEmptyPath }
        return (edge.queryKey != nil && shown.isEmpty)
            || (edge.takesEmptyPath && !catalog.graph.packed[index].isAlone)
    }

    /// Returns the topmost route of a link that ends at another: that route, or the last of its initial children.
    func top(of end: StackEnd) -> StackEnd { shown(by: end).last ?? end }

    /// Returns the routes that a route shows by default: a container that opens nothing, if there is one, and then the
    /// initial children in turn.
    private func shown(by end: StackEnd) -> [StackEnd] {
        let (automaton, graph) = (catalog.automaton, catalog.graph)
        var shown: [StackEnd] = []
        if let chain = automaton.states[automaton.roots[end.route]].chain.map({ automaton.chains[$0] }) {
            shown.append(chain.edges.reduce(end) { $0.opening(graph.edges[$1]) })
        }
        while let initial = graph.initials[(shown.last ?? end).route] {
            shown.append((shown.last ?? end).opening(graph.edges[initial]))
        }
        return shown
    }
}

extension CatalogGraph {
    /// Returns the app of the initial children that a path inserts below an edge from a node, or `nil` if it inserts none,
    /// or none has an app.
    ///
    /// The path inserts none if it continues to the initial child, or to a tab beside it.
    func appOfInitials(of node: Int, before next: EdgeIndex) -> AppIndex? {
        // Nothing is inserted below the first destination.
        guard node != entryNode, let initial = initials[node], !packed[next].isTab,
            edges[next].child != edges[initial].child
        else { return nil }
        var following: EdgeIndex? = initial
        while let edge = following {
            if let app = edges[edge].app { return app }
            following = initials[edges[edge].child]
        }
        return nil
    }
}

extension Edge {
    /// Whether links can take the edge without a path segment.
    var takesEmptyPath: Bool { takesPath && expansions.contains { $0.parts.isEmpty } }
}
