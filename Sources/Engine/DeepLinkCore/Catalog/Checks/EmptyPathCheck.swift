/// The warning that `/` opens nothing, for authors who do not know initial children yet.
enum EmptyPathCheck {
    /// Warns if no link with an empty path resolves, some edge of `entry` could resolve it, and none of them is
    /// initial.
    static func issues(of catalog: RouteCatalog) -> [CatalogIssue] {
        let graph = catalog.graph
        guard !graph.entry.contains(where: { graph.edges[$0].isInitial }),
            let root = try? DeepLink(reference: [ASCII.slash]),
            (try? Resolver(catalog).stack(of: RoutedPath(link: root, start: root.spans.path.start))) == nil
        else { return [] }
        let candidates = graph.entry.map { graph.edges[$0] }
            .filter { edge in
                edge.isLinkable && edge.queryKey == nil && !edge.parameters.indices.contains(where: edge.isRequired)
            }
        // A container of tabs is the more likely start of an app than a single screen.
        guard let edge = candidates.first(where: \.canTakeNoSegment) ?? candidates.first else { return [] }
        let name = graph.routes[edge.child].name
        return [
            CatalogIssue(
                .emptyPathUnanswered,
                at: edge.location,
                message:
                    "No route answers a link with an empty path, such as `\(catalog.origins.first?.scheme ?? "https")://…/`.",
                hint: "Mark the app's first screen as initial, in `entry`: "
                    + "`\(name): { presentation: \(edge.presentation.name), initial: true }`."
            )
        ]
    }
}
