import DeepLinkCore

/// What a file for a platform does not tell exactly, as issues for the author of the catalog.
struct AssociationWarnings {
    private let catalog: RouteCatalog
    private let name: String

    init(_ catalog: RouteCatalog, _ platform: AssociationPlatform) {
        self.catalog = catalog
        name = platform == .ios ? "Apple" : "Android"
    }

    /// Lists the issues of a file that was made of shapes in an order.
    func issues(_ order: ShapeOrder, _ coarseness: Coarseness) -> [CatalogIssue] {
        var issues: [CatalogIssue] = []
        if coarseness != Coarseness.all.first, let location = catalog.apps.location {
            issues.append(
                CatalogIssue(
                    .associationCoarsened,
                    at: location,
                    "The links do not fit into the association file for \(name) one by one: it tells them apart by "
                        + "\(words(for: coarseness)).",
                    hint:
                        "Some links that resolve to nothing open the app too. Put routes under fewer first segments, if that "
                        + "matters."
                )
            )
        }
        for route in order.inexact { append(route, to: &issues) }
        if case .segments = coarseness { return issues }
        for (route, page) in catalog.routes.enumerated() where page.page?.opens == .web { append(route, to: &issues) }
        return issues
    }

    private func append(_ route: Int, to issues: inout [CatalogIssue]) {
        let route = catalog.routes[route]
        guard let page = route.page else { return }
        issues.append(
            CatalogIssue(
                .associationInexact,
                at: page.location,
                "Some links to `\(route.name)` open the app, although it says `open: web`: \(name)'s association file cannot "
                    + "tell them from links to other routes.",
                hint: "Give the route a first segment of its own."
            )
        )
    }

    private func words(for coarseness: Coarseness) -> String {
        switch coarseness {
        case .segments(1): "their first segment"
        case .segments(let count): "their first \(count) segments"
        case .characters(1): "the first character of their path"
        case .characters(let count): "the first \(count) characters of their path"
        case .nothing: "nothing, and every path opens the app"
        }
    }
}
