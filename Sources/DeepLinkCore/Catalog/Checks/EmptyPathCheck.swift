/// The warning that `/` opens nothing, for the first catalog of someone who has not met initial children yet.
enum EmptyPathCheck {
    /// Warns where no link with an empty path resolves, some edge of `entry` could answer it, and no edge of the catalog
    /// is initial: an author who has marked one knows what an empty path is.
    static func issues(of catalog: RouteCatalog) -> [CatalogIssue] {
        let graph = catalog.graph
        guard !graph.edges.contains(where: \.isInitial), let root = try? DeepLink(reference: [ASCII.slash]),
            (try? Resolver(catalog).stack(of: RoutedPath(link: root, start: root.spans.path.start))) == nil
        else { return [] }
        let candidates = graph.entry.map { graph.edges[$0] }
            .filter { edge in
                edge.isLinkable && edge.queryKey == nil && !edge.parameters.indices.contains(where: edge.isRequired)
            }
        // What shows tabs is where an app begins, more often than a screen of its own.
        guard let edge = candidates.first(where: \.canTakeNoSegment) ?? candidates.first else { return [] }
        let name = graph.routes[edge.child].name
        return [
            CatalogIssue(
                .emptyPathUnanswered,
                at: edge.location,
                "No route answers a link with an empty path, such as `\(catalog.origins.first?.scheme ?? "https")://…/`.",
                hint: "Mark what the app shows first as initial, in `entry`: "
                    + "`\(name): { presentation: \(edge.presentation.name), initial: true }`."
            )
        ]
    }
}
