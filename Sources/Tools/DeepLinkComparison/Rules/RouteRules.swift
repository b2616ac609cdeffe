import DeepLinkCore

/// The changes of routes and presentations between two catalogs, as the files declare them.
struct RouteRules {
    let pairing: CatalogPairing

    /// The routes of the new catalog that appear in a stack where the old catalog had another route.
    let yieldedRoutes: Set<Int>

    /// The removed, added and renamed routes, the routes with new descriptions, and new presentations.
    var changes: [DeclaredChange] { routes + presentations }

    private var routes: [DeclaredChange] {
        let (old, new) = (pairing.old, pairing.new)
        let (oldEdges, newEdges) = (Self.firstEdges(old), Self.firstEdges(new))
        var changes: [DeclaredChange] = []
        for (index, route) in old.routes.enumerated() {
            let (name, place) = (route.name.bytewise, pairing.inNewRoutes[index])
            func add(_ rule: ChangeRule, from before: ByteText?, to after: ByteText?) {
                guard before != after else { return }
                let newEdge = place.flatMap { newEdges[$0] }
                var change = DeclaredChange(rule: rule, route: name, oldEdge: oldEdges[index], newEdge: newEdge)
                (change.old, change.new) = (before, after)
                changes.append(change)
            }
            guard let kept = place.map({ new.routes[$0] }) else {
                add(.routeRemoved, from: name, to: nil)
                continue
            }
            add(.routeRenamed, from: name, to: kept.name.bytewise)
            add(.shortLinkTermsChanged, from: Self.text(of: route.shortLink), to: Self.text(of: kept.shortLink))
            add(.descriptionChanged, from: route.description?.bytewise, to: kept.description?.bytewise)
        }
        for (index, route) in new.routes.enumerated() where pairing.inOldRoutes[index] == nil {
            var change = DeclaredChange(rule: .routeAdded, route: route.name.bytewise, newEdge: newEdges[index])
            change.new = route.name.bytewise
            // A published link opens the new route in older apps.
            if yieldedRoutes.contains(index) { change.harms = [.apps: .risk] }
            changes.append(change)
        }
        return changes
    }

    /// Returns the terms of short links in the syntax of the catalog, or `nil` if they aren't declared.
    private static func text(of terms: ShortLinkTerms?) -> ByteText? {
        guard let terms else { return nil }
        let parts = [terms.length.map { "length \($0)" }, terms.life.map { "within \($0.text)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ").bytewise
    }

    /// Returns the first edge to each route, or `nil` for a route without edges.
    private static func firstEdges(_ catalog: RouteCatalog) -> [Int?] {
        var first = [Int?](repeating: nil, count: catalog.routes.count)
        for (index, edge) in catalog.edges.enumerated() where first[edge.child] == nil { first[edge.child] = index }
        return first
    }

    private var presentations: [DeclaredChange] {
        var known = Set((pairing.old.edges + pairing.old.gateEdges).map { $0.presentation.name.bytewise })
        let edges: [(edge: Edge, index: Int?)] = pairing.new.edges.enumerated().map { ($1, $0) }
        return (edges + pairing.new.gateEdges.map { ($0, nil) })
            .filter { known.insert($0.edge.presentation.name.bytewise).inserted }
            .map { edge, index in
                DeclaredChange(
                    rule: .presentationUnknownToOlder,
                    route: pairing.new.routes[edge.child].name.bytewise,
                    oldEdge: index.flatMap(pairing.inOld),
                    newEdge: index,
                    new: edge.presentation.name.bytewise
                )
            }
    }
}
