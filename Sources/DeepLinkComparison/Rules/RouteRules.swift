import DeepLinkCore

/// The changes of routes and presentations between two catalogs, as the files declare them.
struct RouteRules {
    private let pairing: CatalogPairing

    /// The routes of the new catalog that a link now yields where it yielded others.
    private let yieldedRoutes: Set<Int>

    init(_ pairing: CatalogPairing, yielding yieldedRoutes: Set<Int>) {
        self.pairing = pairing
        self.yieldedRoutes = yieldedRoutes
    }

    /// Lists the routes that went, came, or are called or described in another way, and presentations that are new.
    var changes: [DeclaredChange] { routes + presentations }

    private var routes: [DeclaredChange] {
        let (old, new) = (pairing.old, pairing.new)
        let (former, latter) = (Self.indexes(old), Self.indexes(new))
        var changes: [DeclaredChange] = []
        for (index, route) in old.routes.enumerated() {
            let name = route.name.bytewise
            let newName = pairing.newName(name)
            var change = DeclaredChange(rule: .routeRemoved, route: name)
            change.oldEdge = old.edges.firstIndex { $0.child == index }
            guard let place = latter[newName] else {
                change.old = name
                changes.append(change)
                continue
            }
            change.newEdge = new.edges.firstIndex { $0.child == place }
            if newName != name {
                changes.append(change.told(.routeRenamed, name, newName))
            }
            let (text, newText) = (route.description?.bytewise, new.routes[place].description?.bytewise)
            if text != newText { changes.append(change.told(.descriptionChanged, text, newText)) }
        }
        let taken = Set(pairing.renamed.values)
        for (index, route) in new.routes.enumerated() where former[route.name.bytewise] == nil {
            guard !taken.contains(route.name.bytewise) else { continue }
            var change = DeclaredChange(rule: .routeAdded, route: route.name.bytewise)
            change.newEdge = new.edges.firstIndex { $0.child == index }
            change.new = route.name.bytewise
            // A link that is out brings older apps to it.
            if yieldedRoutes.contains(index) { change.harms = [.apps: .risk] }
            changes.append(change)
        }
        return changes
    }

    private static func indexes(_ catalog: RouteCatalog) -> [ByteText: Int] {
        Dictionary(
            catalog.routes.enumerated().map { ($0.element.name.bytewise, $0.offset) },
            uniquingKeysWith: { one, _ in one }
        )
    }

    private var presentations: [DeclaredChange] {
        var known = Set(pairing.old.edges.map { $0.presentation.name.bytewise })
        var changes: [DeclaredChange] = []
        for (index, edge) in pairing.new.edges.enumerated() where known.insert(edge.presentation.name.bytewise).inserted
        {
            var change = DeclaredChange(rule: .presentationUnknownToOlder)
            change.route = pairing.new.routes[edge.child].name.bytewise
            change.newEdge = index
            change.oldEdge = pairing.inOld(index)
            change.new = edge.presentation.name.bytewise
            changes.append(change)
        }
        return changes
    }
}

extension DeclaredChange {
    /// The change of the same route by another rule.
    fileprivate func told(_ rule: ChangeRule, _ old: ByteText?, _ new: ByteText?) -> DeclaredChange {
        var change = DeclaredChange(rule: rule, route: route)
        change.oldEdge = oldEdge
        change.newEdge = newEdge
        change.old = old
        change.new = new
        return change
    }
}
