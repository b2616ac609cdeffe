import DeepLinkCore

/// The changes of routes and presentations between two catalogs, as the files declare them.
struct RouteRules {
    private let pairing: CatalogPairing

    /// The routes of the new catalog that appear in a stack where the old catalog had another route.
    private let yieldedRoutes: Set<Int>

    init(_ pairing: CatalogPairing, yielding yieldedRoutes: Set<Int>) {
        self.pairing = pairing
        self.yieldedRoutes = yieldedRoutes
    }

    /// The removed, added and renamed routes, the routes with new descriptions, and new presentations.
    var changes: [DeclaredChange] { routes + presentations }

    private var routes: [DeclaredChange] {
        let (old, new) = (pairing.old, pairing.new)
        let (former, latter) = (Self.indexes(old), Self.indexes(new))
        let (oldEdges, newEdges) = (Self.firstEdges(old), Self.firstEdges(new))
        var changes: [DeclaredChange] = []
        for (index, route) in old.routes.enumerated() {
            let name = route.name.bytewise
            let newName = pairing.newName(name)
            var change = DeclaredChange(rule: .routeRemoved, route: name, oldEdge: oldEdges[index])
            guard let place = latter[newName] else {
                change.old = name
                changes.append(change)
                continue
            }
            change.newEdge = newEdges[place]
            if newName != name {
                changes.append(change.told(.routeRenamed, old: name, new: newName))
            }
            let (text, newText) = (route.description?.bytewise, new.routes[place].description?.bytewise)
            let (terms, newTerms) = (Self.text(of: route.shortLink), Self.text(of: new.routes[place].shortLink))
            if terms != newTerms {
                changes.append(change.told(.shortLinkTermsChanged, old: terms, new: newTerms))
            }
            if text != newText { changes.append(change.told(.descriptionChanged, old: text, new: newText)) }
        }
        let taken = Set(pairing.renamed.values)
        for (index, route) in new.routes.enumerated() where former[route.name.bytewise] == nil {
            guard !taken.contains(route.name.bytewise) else { continue }
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

    private static func indexes(_ catalog: RouteCatalog) -> [ByteText: Int] {
        Dictionary(
            catalog.routes.enumerated().map { ($0.element.name.bytewise, $0.offset) },
            uniquingKeysWith: { one, _ in one }
        )
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

extension DeclaredChange {
    /// Returns a change of the same route with another rule.
    fileprivate func told(_ rule: ChangeRule, old: ByteText?, new: ByteText?) -> DeclaredChange {
        DeclaredChange(rule: rule, route: route, oldEdge: oldEdge, newEdge: newEdge, old: old, new: new)
    }
}
