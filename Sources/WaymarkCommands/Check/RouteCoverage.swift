import DeepLinkCore

/// The routes of a catalog that the links of a file reach, whoever asks.
struct RouteCoverage {
    private let catalog: RouteCatalog
    private var reached: Set<ByteText> = []

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Notes where a link leads once every gate is passed, in the newest app.
    mutating func note(_ request: ResolutionRequest) {
        guard case .plan(let plan) = resolve(request.asked(by: nil), userLevel: .premiumUser, catalog: catalog)
        else { return }
        for destination in plan.stack { reached.insert(destination.route.bytewise) }
    }

    /// The number of routes that links can reach.
    var routeCount: Int { linkable.count }

    /// The names of those that no link reaches, in the order of the catalog.
    var missing: [String] { linkable.filter { !reached.contains($0.bytewise) } }

    /// The routes to which a link can lead; of the others no link could.
    private var linkable: [String] {
        let children = Set(catalog.edges.lazy.filter(\.isLinkable).map(\.child))
        return catalog.routes.indices.filter(children.contains).map { catalog.routes[$0].name }
    }
}
