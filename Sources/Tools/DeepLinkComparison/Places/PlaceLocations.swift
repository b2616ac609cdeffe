import DeepLinkCore

extension CatalogPairing {
    /// Sets the place of a finding, and its locations in both catalogs.
    ///
    /// A place that the new catalog lacks is located at the declaration that contained it. Without a place, the
    /// location of the edges is used.
    func locate(_ finding: inout Finding, at place: ChangePlace?, oldEdge: Int? = nil, newEdge: Int? = nil) {
        finding.place = place
        let (before, after) = (oldEdge, newEdge ?? oldEdge.flatMap(inNew))
        guard let place else {
            finding.oldLocation = before.map { old.edges[$0].location }
            finding.newLocation = after.map { new.edges[$0].location } ?? before.flatMap(nearest(toEdge:))
            return
        }
        let keys = keys(of: place.owner)
        func locate(
            _ former: SourceLocation?,
            _ latter: SourceLocation?,
            otherwise nearest: @autoclosure () -> SourceLocation?
        ) {
            finding.oldLocation = location(of: place, in: keys.old, otherwise: former)
            finding.newLocation = location(of: place, in: keys.new, otherwise: latter) ?? nearest()
        }
        switch place.owner {
        case .catalog: locate(nil, new.keys[.routes], otherwise: nil)
        case .origins, .associations:
            finding.oldLocation = Self.location(ofOrigin: finding.identity.subject.origin, place, in: old)
            finding.newLocation = Self.location(ofOrigin: finding.identity.subject.origin, place, in: new)
        case .route(let former, let latter):
            let locations = (former.map { old.routes[$0].location }, latter.map { new.routes[$0].location })
            locate(locations.0, locations.1, otherwise: former.flatMap(nearest(toRoute:)))
        case .edge(let former, let latter):
            let locations = (former.map { old.edges[$0].location }, latter.map { new.edges[$0].location })
            locate(locations.0, locations.1, otherwise: former.flatMap(nearest(toEdge:)))
        }
    }

    /// Returns the locations of the keys of a declaration in both catalogs.
    func keys(of owner: ChangePlace.Owner) -> (old: KeyLocations?, new: KeyLocations?) {
        switch owner {
        case .catalog, .origins, .associations: (old.keys, new.keys)
        case .route(let former, let latter): (former.map { old.routes[$0].keys }, latter.map { new.routes[$0].keys })
        case .edge(let former, let latter): (former.map { old.edges[$0].keys }, latter.map { new.edges[$0].keys })
        }
    }

    /// Returns the location of a name, or else of its key, or else of the declaration.
    private func location(
        of place: ChangePlace,
        in keys: KeyLocations?,
        otherwise declaration: SourceLocation?
    ) -> SourceLocation? {
        guard let keys, let key = place.key else { return declaration }
        // A list of paths has an edge for each path.
        let others: [DeclaredKey] = key == .path ? [.path, .query] : [key]
        return keys.location(of: place.name, below: key) ?? others.lazy.compactMap { keys[$0] }.first ?? declaration
    }

    /// Returns the location of an origin by its host, or else by its scheme, or else the location of all origins.
    private static func location(
        ofOrigin origin: ByteText?,
        _ place: ChangePlace,
        in catalog: RouteCatalog
    ) -> SourceLocation? {
        let scheme: ByteText? = if case .origins(let scheme) = place.owner { "\(scheme):".bytewise } else { nil }
        return [origin, scheme].lazy.compactMap(\.self)
            .compactMap { catalog.keys.location(of: $0, below: .origins) }.first
            ?? catalog.keys[.origins]
    }

    /// Returns the location in the new catalog at which an edge of the old one was declared: the list of its parent, or
    /// the groups.
    private func nearest(toEdge edge: Int) -> SourceLocation? {
        let parent = old.edges[edge].parent
        guard parent < old.routes.count else { return new.keys[.entry] }
        guard let route = inNewRoutes[parent] else { return nearest(toRoute: parent) }
        if old.edges[edge].group != nil, let groups = new.keys[.groups] { return groups }
        return new.routes[route].keys[.opens] ?? new.routes[route].location
    }

    /// Returns the location in the new catalog at which a route of the old one was opened.
    private func nearest(toRoute route: Int) -> SourceLocation? {
        openers[route].flatMap(nearest(toEdge:)) ?? new.keys[.routes]
    }
}
