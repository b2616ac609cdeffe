/// The check for text in the query of web links, in which browsers and forms may write a space as a plus.
enum PlusCheck {
    /// Warns once of a free text in the query of https links, unless the file declares the meaning of a plus.
    ///
    /// Forms and `URLSearchParams` encode a space as a plus. The key that opens a route is written by code, and does
    /// not count.
    ///
    /// - Complexity: linear in the parameters.
    static func issues(of definition: CatalogDefinition, _ graph: CatalogGraph) -> [CatalogIssue] {
        guard !definition.saysPlus, !definition.plusIsSpace,
            definition.origins.contains(where: { $0.value.isWeb && !$0.value.hasShortLinks })
        else { return [] }
        for edge in graph.edges where edge.isLinkable {
            let texts = edge.queryParameters.filter { parameter in
                switch parameter.type {
                case .scalar(let type), .list(let type, _, _): type == .anyText && !isOpener(parameter, of: edge)
                case .object: false
                }
            }
            guard let first = texts.first else { continue }
            let declared = definition.routes[edge.child].parameters.first { $0.value === first }
            return [
                CatalogIssue(
                    .literalPlus,
                    at: declared?.location ?? edge.location,
                    message:
                        "A plus in `?\(first.key)=a+b` stays a plus in `\(first.name)` of `\(edge.routeName)`, and browsers "
                        + "and forms write a space so.",
                    hint: "Add `plusIsSpace: true` to the catalog; or `plusIsSpace: false`, if a plus means itself."
                )
            ]
        }
        return []
    }

    private static func isOpener(_ parameter: Parameter, of edge: Edge) -> Bool {
        edge.linkParameter === parameter || edge.queryKey.map(parameter.reads) == true
    }
}

/// The check that `/` opens a route, for authors without experience of initial children.
enum EmptyPathCheck {
    /// Warns if no link with an empty path resolves, no edge of `entry` is initial, and one of them could resolve such
    /// a link.
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
        guard let edge = candidates.first(where: { $0.canTakeNoSegment }) ?? candidates.first else { return [] }
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
