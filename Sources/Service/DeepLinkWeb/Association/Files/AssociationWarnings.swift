import DeepLinkCore

/// The issues about links that a platform's file cannot express exactly, for the author of the catalog.
struct AssociationWarnings {
    private let catalog: RouteCatalog
    private let name: String
    private let app: DeclaredApp

    init(_ catalog: RouteCatalog, platform: AssociationPlatform, app: DeclaredApp) {
        self.catalog = catalog
        self.app = app
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
                    hint: (catalog.dividesApps
                        ? "Some links open other apps than theirs too, and so do some that resolve to nothing. "
                        : "Some links that resolve to nothing open the app too. ")
                        + "Put routes under fewer first segments, if that matters."
                )
            )
        }
        let isCoarse = !issues.isEmpty
        func counts(_ route: Int) -> Bool { !isCoarse || catalog.routes[route].page?.opens == .web }
        issues += order.inexact.filter(counts).map { issue(of: $0) }
        issues += Set(order.openedByQueries).subtracting(order.inexact).sorted().filter(counts)
            .map { issue(of: $0, byQueries: true) }
        if case .segments = granularity { return issues }
        return issues + catalog.routes.indices.filter { catalog.routes[$0].page?.opens == .web }.map { issue(of: $0) }
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

    /// Returns the issue of a route for the browser or for another app of which some links open in this app, or only
    /// links with a query in their fragment.
    private func issue(of route: Int, byQueries: Bool = false) -> CatalogIssue {
        let route = catalog.routes[route]
        let page = route.page.flatMap { $0.opens == .web ? $0 : nil }
        let (opened, reason) =
            page == nil
            ? (app.name.map { "the app `\($0)`" } ?? "the unnamed app", "they belong to another app")
            : ("the app", "it says `open: web`")
        let links = byQueries ? " with a query, or only a slash, in their fragment" : ""
        return CatalogIssue(
            .associationInexact,
            at: page?.location ?? route.keys[.app] ?? route.location,
            message:
                "Some links to `\(route.name)`\(links) open \(opened), although \(reason): \(name)'s association file cannot "
                + "tell them from links to other routes.",
            hint: byQueries
                ? "Write the query before the `#`, or give the route a first segment that no other path begins or fits."
                : "Give the route a first segment of its own."
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
