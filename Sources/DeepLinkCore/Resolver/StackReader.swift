/// Looks up a client's stack in a catalog: which edges it came by, and its values in the catalog's types.
enum StackReader {
    /// Reads a stack from its root up.
    ///
    /// Of several edges between the same two routes, the first with the same presentation whose parameters fit is
    /// taken, one that needs no default before one that does. A parameter that is left out has its default.
    ///
    /// - Throws: ``UnfittingDestination``, for the first that its parent does not open so.
    static func read(
        _ destinations: [Destination],
        in graph: CatalogGraph
    ) throws(UnfittingDestination) -> [StackElement] {
        var stack: [StackElement] = []
        var node = graph.entryNode
        for (index, destination) in destinations.enumerated() {
            let edges = graph.opens(node)
                .filter { graph.routes[graph.edges[$0].child].name.utf8.elementsEqual(destination.route.utf8) }
            let presented = edges.filter { graph.edges[$0].presentation == destination.presentation }
            guard let first = presented.first else {
                throw UnfittingDestination(
                    index: index,
                    message: edges.isEmpty
                        ? "`\(graph.name(node))` does not open `\(destination.route)`."
                        : "`\(graph.name(node))` does not open `\(destination.route)` as "
                            + "`\(destination.presentation.name)`, but as "
                            + edges.map { "`\(graph.edges[$0].presentation.name)`" }.joined(separator: " or ") + "."
                )
            }
            let fitting = presented.compactMap { edge in
                graph.edges[edge].adopt(destination.parameters).map { StackElement(edge: edge, arguments: $0) }
            }
            // An edge that adds no default says what the client said.
            let exact = fitting.first { $0.arguments.count == destination.parameters.count }
            guard let element = exact ?? fitting.first else {
                let expected = graph.edges[first].parameters.map { "`\($0.name)`, \($0.type.expectation)" }
                throw UnfittingDestination(
                    index: index,
                    message: "The parameters of `\(destination.route)` do not fit; expected "
                        + (expected.isEmpty ? "none" : expected.joined(separator: "; ")) + "."
                )
            }
            stack.append(element)
            node = graph.edges[first].child
        }
        return stack
    }
}
