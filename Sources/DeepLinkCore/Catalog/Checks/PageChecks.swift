/// The rules for what routes are to browsers: where they are opened.
enum PageChecks {
    /// Finds routes that are kept in the browser although they open others that need the app.
    static func issues(of graph: CatalogGraph) -> [CatalogIssue] {
        graph.routes.compactMap { route -> CatalogIssue? in
            guard let page = route.page, page.opens == .web else { return nil }
            let child = route.opens.lazy.map { graph.edges[$0] }
                .first { $0.isLinkable && graph.routes[$0.child].page?.opens != .web }
            guard let child else { return nil }
            return CatalogIssue(
                .openConflict,
                at: page.location,
                "`\(route.name)` is kept in the browser, and `\(graph.routes[child.child].name)`, which it opens, needs the "
                    + "app.",
                hint: "Write `open: web` there too, or remove it here: links to what it opens go through it."
            )
        }
    }
}
