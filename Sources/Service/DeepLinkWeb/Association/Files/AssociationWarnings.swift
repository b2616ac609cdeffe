import DeepLinkCore

/// The issues about links that a platform's file cannot express exactly, for the author of the catalog.
struct AssociationWarnings {
    private let catalog: RouteCatalog
    private let name: String

    init(_ catalog: RouteCatalog, platform: AssociationPlatform) {
        self.catalog = catalog
        name = platform == .ios ? "Apple" : "Android"
    }

    /// Returns the issues of a file generated from ordered shapes.
    func issues(_ order: LinkOrder, granularity: RuleGranularity) -> [CatalogIssue] {
        var issues: [CatalogIssue] = []
        if granularity != RuleGranularity.all.first, let location = catalog.apps.location {
            issues.append(
                CatalogIssue(
                    .associationCoarsened,
                    at: location,
                    message:
                        "The links do not fit into the association file for \(name) one by one: it tells them apart by "
                        + "\(words(for: granularity)).",
                    hint:
                        "Some links that resolve to nothing open the app too. Put routes under fewer first segments, if that "
                        + "matters."
                )
            )
        }
        for route in order.inexact { append(route, to: &issues) }
        if case .segments = granularity { return issues }
        for (route, page) in catalog.routes.enumerated() where page.page?.opens == .web { append(route, to: &issues) }
        return issues
    }

    /// Returns an issue for each route that opens in the browser although short links to it open in the app.
    static func ofShortLinks(to catalog: RouteCatalog) -> [CatalogIssue] {
        guard catalog.hasShortLinks else { return [] }
        return catalog.routes.compactMap { route in
            guard let page = route.page, page.opens == .web else { return nil }
            return CatalogIssue(
                .associationInexact,
                at: page.location,
                message:
                    "Short links to `\(route.name)` open the app, although it says `open: web`: an association file cannot "
                    + "tell one code from another.",
                hint: "Publish the link itself, or let the app open the route."
            )
        }
    }

    private func append(_ route: Int, to issues: inout [CatalogIssue]) {
        let route = catalog.routes[route]
        guard let page = route.page else { return }
        issues.append(
            CatalogIssue(
                .associationInexact,
                at: page.location,
                message:
                    "Some links to `\(route.name)` open the app, although it says `open: web`: \(name)'s association file cannot "
                    + "tell them from links to other routes.",
                hint: "Give the route a first segment of its own."
            )
        )
    }

    private func words(for granularity: RuleGranularity) -> String {
        switch granularity {
        case .segments(1): "their first segment"
        case .segments(let count): "their first \(count) segments"
        case .characters(1): "the first character of their path"
        case .characters(let count): "the first \(count) characters of their path"
        case .nothing: "nothing, and every path opens the app"
        }
    }
}
