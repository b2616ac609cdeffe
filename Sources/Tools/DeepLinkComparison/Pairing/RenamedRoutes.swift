import DeepLinkCore

/// The routes that have different names in two catalogs.
enum RenamedRoutes {
    /// All properties of a route except its name.
    private struct Shape: Hashable {
        let address: RouteAddress
        let aliases: [PathPattern]
        let parameters: [Parameter]
        let requirements: Requirements
        let incoming: Set<Incoming>
        let outgoing: Set<ByteText?>
    }

    /// An edge to a route, without the route's name.
    private struct Incoming: Hashable {
        /// The parent, or `nil` for the route itself.
        let parent: ByteText?
        let presentation: Presentation
        let address: RouteAddress
    }

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

    private static func shapes(of routes: [Int], _ catalog: RouteCatalog) -> [Shape: [ByteText]] {
        var incoming: [Int: Set<Incoming>] = [:]
        for edge in catalog.edges {
            let parent = edge.parent < catalog.routes.count ? catalog.routes[edge.parent].name : "entry >"
            incoming[edge.child, default: []]
                .insert(
                    Incoming(
                        parent: edge.parent == edge.child ? nil : parent.bytewise,
                        presentation: edge.presentation,
                        address: edge.address
                    )
                )
        }
        return Dictionary(grouping: routes) { index in
            let route = catalog.routes[index]
            return Shape(
                address: route.address,
                aliases: route.aliases,
                parameters: route.parameters,
                requirements: route.requirements,
                incoming: incoming[index] ?? [],
                outgoing: Set(
                    catalog.edges[route.opens]
                        .map { $0.child == index ? nil : catalog.routes[$0.child].name.bytewise }
                )
            )
        }
        .mapValues { $0.map { catalog.routes[$0].name.bytewise } }
    }
}
