/// The rules for routes that require signed links: no other parameter reads the keys of a signature.
enum SignatureChecks {
    /// Returns issues for other uses of a signature's keys in signed links, and for signed routes that are never shown.
    ///
    /// - Complexity: linear in the edges and their parameters, and constant if no route is signed.
    static func issues(of graph: CatalogGraph) -> [CatalogIssue] {
        let signed = graph.routes.indices.filter { graph.routes[$0].isSigned }
        guard !signed.isEmpty else { return [] }
        let names = Set(signed)
        let readers = readers(of: names, in: graph)
        return graph.edges.filter { readers.contains($0.child) }.flatMap { edge in issues(of: edge, graph) }
            + signed.filter { graph.routes[$0].link != nil }
            .map { index in
                let route = graph.routes[index]
                return CatalogIssue(
                    .invalidValue,
                    at: route.location,
                    message: "`\(route.name)` is signed, and redirects to another link.",
                    hint: "Write `signed` for the route of that link."
                )
            }
    }

    private static func issues(of edge: Edge, _ graph: CatalogGraph) -> [CatalogIssue] {
        let name = graph.routes[edge.child].name
        return SignatureDemand.keys
            .compactMap { key -> CatalogIssue? in
                let subject: String
                if edge.queryKey?.bytewise == key.bytewise {
                    subject = "`\(name)` is opened by"
                } else if let parameter = edge.queryParameters.first(where: { $0.reads(key) }) {
                    subject = "The parameter `\(parameter.name)` of `\(name)` reads"
                } else {
                    return nil
                }
                return CatalogIssue(
                    .reservedKey,
                    at: edge.location,
                    message: "\(subject) `\(key)`, which belongs to the signature of the links that lead here.",
                    hint: "Choose another key of the query."
                )
            }
    }

    /// Returns the routes that may be in one stack with a signed route: above it, below it, and initial children
    /// between.
    private static func readers(of signed: Set<Int>, in graph: CatalogGraph) -> Set<Int> {
        var parents: [Int: [Int]] = [:]
        for edge in graph.edges where edge.parent != graph.entryNode {
            parents[edge.child, default: []].append(edge.parent)
        }
        let above = signed.reaching { parents[$0] ?? [] }
        let beside = above.reaching { route in graph.initials[route].map { [graph.edges[$0].child] } ?? [] }
        return Set(beside + signed.reaching { graph.routes[$0].opens.map { graph.edges[$0].child } })
    }
}
