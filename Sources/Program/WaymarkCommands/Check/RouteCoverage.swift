import DeepLinkCore
import DeepLinkFormats

/// The routes of a catalog that the links of a file reach, at any level.
struct RouteCoverage {
    private let catalog: RouteCatalog
    private var reached: Set<ByteText> = []

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Records the destinations of a link beyond all gates, in the newest app.
    ///
    /// A plan has them; a denied link is resolved again at the highest level.
    mutating func note(_ request: ResolutionRequest, decision: Decision) {
        let plan: RoutePlan
        if case .resolution(.plan(let decided)) = decision.outcome {
            plan = decided
        } else if case .plan(let other) = resolve(request.asked(by: nil), permissions: .all, catalog: catalog) {
            plan = other
        } else {
            return
        }
        for destination in plan.stack { reached.insert(destination.route.bytewise) }
    }

    /// The number of routes that links can reach.
    var routeCount: Int { linkable.count }

    /// The names of the routes that no link reaches, in the order of the catalog.
    var missing: [String] { linkable.filter { !reached.contains($0.bytewise) } }

    /// The routes to which a link can lead.
    private var linkable: [String] {
        let children = Set(catalog.edges.lazy.filter(\.isLinkable).map(\.child))
        return catalog.routes.indices.filter(children.contains).map { catalog.routes[$0].name }
    }
}
