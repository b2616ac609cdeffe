import DeepLinkCore

/// The routes that have different names in two catalogs.
enum RenamedRoutes {
    /// Returns the new name for each old name.
    ///
    /// Names with several possible matches are omitted.
    static func find(_ old: RouteCatalog, _ new: RouteCatalog) -> [ByteText: ByteText] {
        let (before, after) = (Set(old.routes.map(\.name.bytewise)), Set(new.routes.map(\.name.bytewise)))
        let gone = old.routes.indices.filter { !after.contains(old.routes[$0].name.bytewise) }
        let added = new.routes.indices.filter { !before.contains(new.routes[$0].name.bytewise) }
        guard !gone.isEmpty, !added.isEmpty else { return [:] }
        let (former, latter) = (shapes(of: gone, old), shapes(of: added, new))
        var renamed: [ByteText: ByteText] = [:]
        for (shape, names) in former {
            guard names.count == 1, let others = latter[shape], others.count == 1 else { continue }
            renamed[names[0]] = others[0]
        }
        return renamed
    }

    /// Returns the names of routes by all their other properties, and the properties of the edges from and to them.
    private static func shapes(of routes: [Int], _ catalog: RouteCatalog) -> [[AnyHashable]: [ByteText]] {
        var incoming: [Int: Set<[AnyHashable]>] = [:]
        for edge in catalog.edges {
            let parent = edge.parent < catalog.routes.count ? catalog.routes[edge.parent].name : "entry >"
            // A route that opens itself does so under either name.
            let name = edge.parent == edge.child ? nil : parent.bytewise
            incoming[edge.child, default: []].insert([name, edge.presentation, edge.address])
        }
        return Dictionary(grouping: routes) { index in
            let route = catalog.routes[index]
            let outgoing = catalog.edges[route.opens]
                .map { $0.child == index ? nil : catalog.routes[$0.child].name.bytewise }
            return [
                route.address, route.aliases, route.parameters, route.requirements, incoming[index] ?? [],
                Set(outgoing),
            ]
        }
        .mapValues { $0.map { catalog.routes[$0].name.bytewise } }
    }
}
