/// A client's stack, looked up in a catalog: which edges it came by, and its values in the catalog's types.
enum StackReader {
    /// Which of two routes opened a destination that both can open.
    enum Preference: CaseIterable {
        /// The one that shows what is below it by itself: its link is the shorter one.
        case owner

        /// The one right below it.
        case below
    }

    /// Reads a stack from its root up.
    ///
    /// Of several edges between the same two routes, the first with the same presentation whose parameters fit is
    /// taken, one that needs no default before one that does. A parameter that is left out has its default. What
    /// stands over an initial child may be opened by that child or by the route that shows it.
    ///
    /// - Throws: ``DestinationError``, for the first that its parent does not open so, or that stands there more
    /// - Complexity: linear in the destinations and their parameters.
    static func read(
        _ destinations: [Destination],
        in graph: CatalogGraph,
        preferring preference: Preference = .below
    ) throws(DestinationError) -> [StackElement] {
        var stack: [StackElement] = []
        try read(destinations, in: graph, preferring: preference, into: &stack)
        return stack
    }

    /// Reads a stack from its root up, as far as it fits.
    ///
    /// - Complexity: linear in the destinations and their parameters.
    static func readFitting(_ destinations: [Destination], in graph: CatalogGraph) -> [StackElement] {
        var stack: [StackElement] = []
        let longest = graph.routes.count * Resolver.maximumRouteCount
        try? read(Array(destinations.prefix(longest)), in: graph, preferring: .below, into: &stack)
        return stack
    }

    private static func read(
        _ destinations: [Destination],
        in graph: CatalogGraph,
        preferring preference: Preference,
        into stack: inout [StackElement]
    ) throws(DestinationError) {
        let longest = graph.routes.count * Resolver.maximumRouteCount
        guard destinations.count <= longest else {
            throw DestinationError(
                index: longest,
                route: destinations[longest].route,
                message: "No stack of this catalog has more than \(longest) destinations."
            )
        }
        var counts: [Int: Int] = [:]
        var parents = [graph.entryNode]
        for (index, destination) in destinations.enumerated() {
            let fault = { (message: String) in
                DestinationError(index: index, route: destination.route, message: message)
            }
            let top = stack.last
            let edges = parents.flatMap { opens(from: $0, over: top, to: destination.route, in: graph) }
            let presented = edges.filter { graph.edges[$0].presentation == destination.presentation }
            let names = parents.map { "`\(graph.name($0))`" }.joined(separator: " or ")
            guard !presented.isEmpty else {
                guard !edges.isEmpty else { throw fault("\(names) does not open `\(destination.route)`.") }
                let others = edges.map { "`\(graph.edges[$0].presentation.name)`" }.joined(separator: " or ")
                throw fault(
                    "\(names) does not open `\(destination.route)` as "
                        + "`\(destination.presentation.name)`, but as \(others)."
                )
            }
            let fitting = presented.compactMap { edge in
                graph.edges[edge].adopt(destination.parameters).map { StackElement(edge: edge, arguments: $0) }
            }
            // An edge that adds no default says what the client said.
            let exact = fitting.first { $0.arguments.count == destination.parameters.count }
            guard let element = exact ?? fitting.first else {
                throw fault(misfit(of: destination, presented.map { graph.edges[$0] }))
            }
            let child = graph.edges[element.edge].child
            counts[child, default: 0] += 1
            guard counts[child, default: 0] <= Resolver.maximumRouteCount else {
                throw fault("`\(destination.route)` stands in the stack more than \(Resolver.maximumRouteCount) times.")
            }
            stack.append(element)
            parents = showing(element, in: graph, among: parents)
            parents.insert(child, at: preference == .below ? 0 : parents.count)
        }
    }

    /// Returns whether a destination stands over an initial child that could also be opened by whoever shows that
    /// child.
    ///
    /// - Complexity: linear in the destinations; nothing is allocated where no child is shown by itself.
    static func hasOwners(_ stack: [StackElement], in graph: CatalogGraph) -> Bool {
        for index in stack.indices.dropFirst() {
            let edge = graph.packed[stack[index].edge]
            let below = graph.packed[stack[index - 1].edge]
            guard edge.parent == below.child, below.parent != graph.entryNode,
                let initial = graph.initials[below.parent], graph.packed[initial].child == below.child,
                graph.opens(edge.child, from: below.parent)
            else { continue }
            return true
        }
        return false
    }

    /// Says which parameter fits none of some edges and, for each, what would.
    static func misfit(of destination: Destination, _ edges: [Edge]) -> String {
        // Of more values than are declared, the first too many is wrong in itself.
        let most = edges.map(\.parameters.count).max() ?? 0
        let culprit = destination.parameters.prefix(most + 1)
            .first { given in
                !edges.contains { edge in
                    edge.parameters.contains {
                        $0.name.bytewise == given.name.bytewise && $0.type.adopt(given.value) != nil
                    }
                }
            }
        var variants: [String] = []
        for edge in edges {
            let variant =
                edge.parameters.isEmpty
                ? "none" : edge.parameters.map { "`\($0.name)`, \($0.type.expectation)" }.joined(separator: "; ")
            if !variants.contains(variant) { variants.append(variant) }
        }
        let fault = culprit.map { "The parameter `\($0.name)` of `\(destination.route)` does not fit" }
        return (fault ?? "The parameters of `\(destination.route)` do not fit together") + "; expected "
            + variants.joined(separator: " or ") + "."
    }

    /// The edges by which a node opens a route over a stack.
    ///
    /// Over its initial child a node opens neither that child again nor a tab: those would stand in its place.
    private static func opens(
        from node: Int,
        over top: StackElement?,
        to route: String,
        in graph: CatalogGraph
    ) -> [EdgeIndex] {
        let edges = graph.edges(from: node, to: route)
        guard let top, graph.edges[top.edge].child != node, let initial = graph.initials[node] else { return edges }
        return edges.filter { index in
            graph.edges[index].child != graph.edges[initial].child && graph.edges[index].presentation != .tab
        }
    }

    /// The nodes that show a destination by themselves, so that what they open may stand over it.
    private static func showing(_ element: StackElement, in graph: CatalogGraph, among parents: [Int]) -> [Int] {
        let edge = graph.edges[element.edge]
        guard edge.parent != graph.entryNode, let initial = graph.initials[edge.parent].map({ graph.edges[$0] }),
            initial.child == edge.child, initial.presentation == edge.presentation,
            initial.adopt(element.arguments) == element.arguments
        else { return [] }
        return parents
    }
}
