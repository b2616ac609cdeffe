import DeepLinkCore

/// The access requirements of a catalog by route name, for comparison with another catalog.
struct AccessSummary {
    /// The two routes that an edge connects.
    struct EdgeKey: Hashable {
        /// The opening route, or `nil` for `entry`.
        let parent: ByteText?

        /// The opened route.
        let child: ByteText
    }

    /// The access properties of an edge.
    struct EdgeAccess {
        /// The level and the grants that the edge requires, including the requirements of its route.
        let requirement: Requirement

        /// Whether links can take the edge.
        let isLinkable: Bool

        /// Whether the child is an initial child.
        ///
        /// If so, the parent requires the child's level.
        let isInitial: Bool
    }

    /// The level and the grants that each route itself requires.
    private(set) var requirements: [ByteText: Requirement] = [:]

    /// The lowest level at which a link reaches each route, with all grants.
    ///
    /// Unreachable routes are absent.
    private(set) var reaches: [ByteText: AuthorizationLevel] = [:]

    /// For each grant, the routes that links reach with the highest level and all other grants.
    private(set) var reachedWithout: [GrantName: Set<ByteText>] = [:]

    /// The edges between two routes, in the order of declaration.
    private(set) var edges: [EdgeKey: [EdgeAccess]] = [:]

    /// The ends of edges, in the order of the catalog.
    private(set) var edgeOrder: [EdgeKey] = []

    init(_ catalog: RouteCatalog) {
        let names = catalog.routes.map { $0.name.bytewise }
        for (name, route) in zip(names, catalog.routes) { requirements[name] = route.requirements.access }
        for edge in catalog.edges {
            let parent = edge.parent < names.count ? names[edge.parent] : nil
            let key = EdgeKey(parent: parent, child: names[edge.child])
            if edges[key] == nil { edgeOrder.append(key) }
            edges[key, default: []]
                .append(
                    EdgeAccess(
                        requirement: edge.requirements.access,
                        isLinkable: edge.isLinkable,
                        isInitial: edge.isInitial
                    )
                )
        }
        for level in catalog.levels.all {
            let permissions = Permissions(level: level, grants: .all)
            for index in Self.reached(catalog, with: permissions) where reaches[names[index]] == nil {
                reaches[names[index]] = level
            }
        }
        for grant in catalog.grants.all {
            let permissions = Permissions(level: .highest, grants: GrantSet.all.subtracting(GrantSet(grant)))
            reachedWithout[catalog.grants.names[Int(grant.place)]] =
                Set(Self.reached(catalog, with: permissions).map { names[$0] })
        }
    }

    /// Returns whether both ends of an edge are routes of the catalog.
    func has(_ key: EdgeKey) -> Bool {
        requirements[key.child] != nil && key.parent.map { requirements[$0] != nil } ?? true
    }

    /// Returns whether two origins accept the same links.
    static func isSame(_ left: Origin, _ right: Origin) -> Bool {
        left.scheme.bytewise == right.scheme.bytewise && left.authority == right.authority
            && left.hosts.map { $0.bytewise } == right.hosts.map { $0.bytewise }
            && left.pathPrefix.map { $0.bytewise } == right.pathPrefix.map { $0.bytewise }
            && left.routesFragment == right.routesFragment && left.hasShortLinks == right.hasShortLinks
    }

    /// Returns the routes that links reach with some permissions.
    private static func reached(_ catalog: RouteCatalog, with permissions: Permissions) -> [Int] {
        func children(_ edges: Range<Int>) -> [Int] {
            catalog.edges[edges].filter { $0.isLinkable && $0.requirements.access.isMet(by: permissions) }
                .map { $0.child }
        }
        return children(catalog.entry).reaching { children(catalog.routes[$0].opens) }
    }
}
