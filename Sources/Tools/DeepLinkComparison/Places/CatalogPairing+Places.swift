import DeepLinkCore

// MARK: Declarations

extension CatalogPairing {
    /// Returns the place of an edge, or the place of its route if the route is removed or new as well.
    func place(old: Int?, new: Int?) -> ChangePlace {
        if let old, new == nil, let route = route(without: inNewRoutes, edge: self.old.edges[old], in: self.old) {
            return ChangePlace(owner: .route(old: route, new: nil))
        }
        if let new, old == nil, let route = route(without: inOldRoutes, edge: self.new.edges[new], in: self.new) {
            return ChangePlace(owner: .route(old: nil, new: route))
        }
        return ChangePlace(owner: .edge(old: old, new: new))
    }

    /// Returns the end of an edge that isn't paired: the child, or else the parent.
    private func route(without counterparts: [Int?], edge: Edge, in catalog: RouteCatalog) -> Int? {
        [edge.child, edge.parent].first { $0 < catalog.routes.count && counterparts[$0] == nil }
    }

    /// Returns the place of a key of a paired edge.
    ///
    /// This is the edge's declaration if the edge has the key in one of the catalogs, and the route's otherwise.
    func place(_ key: DeclaredKey, old: Int, new: Int, beside others: [DeclaredKey] = []) -> ChangePlace {
        let (edge, other) = (self.old.edges[old], self.new.edges[new])
        let isOwn = ([key] + others).contains { edge.keys[$0] != nil || other.keys[$0] != nil }
        return ChangePlace(
            owner: isOwn ? .edge(old: old, new: new) : .route(old: edge.child, new: other.child),
            key: key
        )
    }

    /// Returns the place of the path or the query key of an edge.
    func addressPlace(old: Int, new: Int) -> ChangePlace { place(.path, old: old, new: new, beside: [.paths, .query]) }

    /// Returns the place of a parameter: its declaration, or the path if only the path names it.
    func place(ofParameter name: ByteText, old: Int, new: Int) -> ChangePlace {
        let place = place(.parameters, old: old, new: new)
        let keys = keys(of: place.owner)
        guard [keys.old, keys.new].contains(where: { $0?.location(of: name, below: .parameters) != nil }) else {
            return addressPlace(old: old, new: new)
        }
        return ChangePlace(owner: place.owner, key: .parameters, name: name)
    }

    /// Returns the place of a requirement that the route and its edge may both have, choosing the one that differs.
    ///
    /// - Returns: `nil` if neither differs.
    func place(ofRequirement key: DeclaredKey, old: Int, new: Int) -> ChangePlace? {
        let (edge, other) = (self.old.edges[old], self.new.edges[new])
        let (route, newRoute) = (self.old.routes[edge.child], self.new.routes[other.child])
        let ofRoute = ChangePlace(owner: .route(old: edge.child, new: other.child), key: key)
        if key == .app {
            if apps.change(from: route.app, to: newRoute.app) != nil { return ofRoute }
            let change = apps.change(from: edge.app, to: other.app)
            return change != nil ? ChangePlace(owner: .edge(old: old, new: new), key: key) : nil
        }
        if key == .signed { return route.isSigned == newRoute.isSigned ? nil : ofRoute }
        if differ(key, route.requirements, newRoute.requirements) { return ofRoute }
        guard differ(key, edge.requirements, other.requirements) else { return nil }
        return ChangePlace(owner: .edge(old: old, new: new), key: key)
    }

    private func differ(_ key: DeclaredKey, _ old: Requirements, _ new: Requirements) -> Bool {
        switch key {
        case .authorizationLevel:
            self.new.levels.level(stored: self.old.levels.name(of: old.authorizationLevel)) != new.authorizationLevel
        case .requires: self.old.grants.counterparts(of: old.grants, in: self.new.grants) != new.grants
        default: !changes(from: old.since, to: new.since).isEmpty
        }
    }

    // MARK: What links show

    /// Returns the first difference in the declarations of an edge that changes its links, or `nil` if none differs.
    func place(ofChange edge: Int) -> ChangePlace? {
        guard let other = inNew(edge) else { return place(old: edge, new: nil) }
        let (former, latter) = (old.edges[edge], new.edges[other])
        func own(_ key: DeclaredKey) -> ChangePlace { ChangePlace(owner: .edge(old: edge, new: other), key: key) }
        if former.isLinkable != latter.isLinkable { return own(.linkable) }
        if former.address != latter.address { return addressPlace(old: edge, new: other) }
        if former.aliases != latter.aliases { return place(.aliases, old: edge, new: other) }
        if former.parameters != latter.parameters {
            let names = (former.parameters + latter.parameters).map(\.name.bytewise)
            return names.first { former.parameter($0) != latter.parameter($0) }
                .map { place(ofParameter: $0, old: edge, new: other) }
        }
        if former.presentation != latter.presentation { return own(.presentation) }
        return former.isInitial == latter.isInitial ? nil : own(.initial)
    }

    /// Returns the place of a requirement that differs on the way of a link, searching from the top.
    func place(ofRequirement key: DeclaredKey, oldWay: [Int], newWay: [Int]) -> ChangePlace? {
        for edge in newWay.reversed() {
            guard let other = inOld(edge) else { return place(old: nil, new: edge) }
            if let place = place(ofRequirement: key, old: other, new: edge) { return place }
        }
        if let gone = oldWay.last(where: { inNew($0) == nil }) { return place(old: gone, new: nil) }
        switch key {
        case .authorizationLevel: return ChangePlace(owner: .catalog, key: .levels)
        case .requires: return ChangePlace(owner: .catalog, key: .grants)
        default: return nil
        }
    }

    /// Returns the scheme of a link or an origin.
    static func scheme(of text: String) -> ByteText {
        String(Substring(text.utf8.prefix { $0 != UInt8(ascii: ":") })).bytewise
    }

    /// Returns the place of a finding about the catalog itself, or `nil` for a finding about a route.
    func place(ofCatalog finding: Finding) -> ChangePlace? {
        let subject = finding.identity.subject
        switch finding.rule {
        case .associationNarrowed, .associationWidened: return ChangePlace(owner: .associations)
        case .levelsReordered: return ChangePlace(owner: .catalog, key: .levels)
        case .appRemoved, .appAdded:
            return ChangePlace(owner: .catalog, key: .apps, name: finding.identity.old ?? finding.identity.new)
        case .plusIsSpaceChanged: return ChangePlace(owner: .catalog, key: .plusIsSpace)
        case .gateChanged, .gateRemoved: return ChangePlace(owner: .catalog, key: .gates, name: subject.gate)
        default: break
        }
        if let gate = subject.gate {
            let isLevel = old.levels.level(named: gate.string) != nil
            return ChangePlace(owner: .catalog, key: isLevel ? .levels : .grants, name: gate)
        }
        return subject.origin.map { ChangePlace(owner: .origins(Self.scheme(of: $0.string))) }
    }
}

extension Edge {
    /// Returns the parameter with a name, or `nil` if the edge has none.
    func parameter(_ name: ByteText) -> Parameter? { parameters.first { $0.name.bytewise == name } }
}

extension ChangeRule {
    /// The requirement that a change of this kind raises or lowers.
    var requirement: DeclaredKey? {
        switch self {
        case .levelLowered, .levelRaised: .authorizationLevel
        case .requirementLowered, .requirementRaised: .requires
        case .appVersionLowered, .appVersionRaised: .since
        case .signatureDropped, .signatureRequired: .signed
        case .routeAppChanged: .app
        default: nil
        }
    }
}
