/// A reader of a client's stack, which finds the edge of each destination and converts the values to the catalog's
/// types.
enum StackReader {
    /// The choice between two routes that can both open a destination.
    enum Preference: CaseIterable {
        /// The parent that shows the other as its initial child.
        ///
        /// Its link is shorter.
        case owner

        /// The route directly below it.
        case below
    }

    /// Reads a stack from its root up.
    ///
    /// Of several edges between the same two routes, the first with the same presentation and fitting parameters is
    /// taken. An edge that needs no default comes before one that does, and an opened route before the layer of a gate.
    /// A missing parameter has its default. A destination above an initial child may be opened by that child or by the
    /// route that shows it.
    ///
    /// - Throws: ``DestinationError`` for the first destination that its parent does not open in that way, or that is
    ///   in the stack more often than the limit.
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
            var presented = edges.filter { graph.edges[$0].presentation == destination.presentation }
            var fit = Self.fit(of: destination, by: presented, in: graph)
            if fit?.isExact != true {
                let gateEdges = graph.gateEdges(presenting: destination, over: stack)
                let gateFit = Self.fit(of: destination, by: gateEdges, in: graph)
                if fit == nil || gateFit?.isExact == true { fit = gateFit }
                presented += gateEdges
            }
            guard var element = fit?.element else {
                guard presented.isEmpty else {
                    throw fault(misfit(of: destination, presented.map { graph.edges[$0] }))
                }
                let names = parents.map { "`\(graph.name($0))`" }.joined(separator: " or ")
                guard !edges.isEmpty else { throw fault("\(names) does not open `\(destination.route)`.") }
                let others = edges.map { "`\(graph.edges[$0].presentation.name)`" }.joined(separator: " or ")
                throw fault(
                    "\(names) does not open `\(destination.route)` as "
                        + "`\(destination.presentation.name)`, but as \(others)."
                )
            }
            element.arguments = graph.inheriting(element.arguments, of: graph.edges[element.edge], above: stack)
            let child = graph.edges[element.edge].child
            counts[child, default: 0] += 1
            guard counts[child, default: 0] <= Resolver.maximumRouteCount else {
                throw fault("`\(destination.route)` is in the stack more than \(Resolver.maximumRouteCount) times.")
            }
            stack.append(element)
            parents = openers(above: element, among: parents, in: graph, preferring: preference)
        }
    }

    /// Returns a destination by the first edge that its values fit, and whether that edge adds no default.
    ///
    /// An edge that adds no default to the client's values comes before one that does.
    ///
    /// - Returns: `nil` if no edge fits.
    private static func fit(
        of destination: Destination,
        by edges: [EdgeIndex],
        in graph: CatalogGraph
    ) -> (element: StackElement, isExact: Bool)? {
        var first: StackElement?
        for edge in edges {
            // A client need not know inherited values: the values below count.
            let given = graph.edges[edge].ownValues(destination.parameters)
            guard let values = graph.edges[edge].adopt(given) else { continue }
            let element = StackElement(edge: edge, arguments: values)
            if values.count == given.count { return (element, true) }
            if first == nil { first = element }
        }
        return first.map { ($0, false) }
    }

    /// Returns the nodes that may open a destination above a stack.
    static func openers(above stack: some Sequence<StackElement>, in graph: CatalogGraph) -> [Int] {
        stack.reduce([graph.entryNode]) { openers(above: $1, among: $0, in: graph, preferring: .below) }
    }

    /// Returns the nodes that may open a destination above another one, which in turn some nodes may have opened.
    private static func openers(
        above element: StackElement,
        among parents: [Int],
        in graph: CatalogGraph,
        preferring preference: Preference
    ) -> [Int] {
        if let gateEdge = graph.gateEdge(element.edge) { return gateEdge.openers }
        var openers = showing(element, in: graph, among: parents)
        openers.insert(graph.edges[element.edge].child, at: preference == .below ? 0 : openers.count)
        return openers
    }

    /// Returns whether a destination above an initial child could also be opened by the route that shows that child.
    ///
    /// - Complexity: linear in the destinations. Nothing is allocated without an initial child.
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

    /// Returns a message with the parameter that fits none of some edges, and the accepted values of each.
    static func misfit(of destination: Destination, _ edges: [Edge]) -> String {
        // With more values than are declared, the first surplus one is the error.
        let most = edges.map { $0.parameters.count }.max() ?? 0
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
        if culprit == nil,
            let edge = edges.min(by: { missing($0, in: destination).count < missing($1, in: destination).count })
        {
            let missing = missing(edge, in: destination).map { "`\($0.name)`, \($0.type.expectation)" }
            if !missing.isEmpty { return "`\(destination.route)` needs \(missing.joined(separator: "; "))." }
        }
        let fault = culprit.map { "The parameter `\($0.name)` of `\(destination.route)` does not fit" }
        return (fault ?? "The parameters of `\(destination.route)` do not fit together") + "; expected "
            + variants.joined(separator: " or ") + "."
    }

    /// Returns the parameters that an edge needs and a destination lacks.
    private static func missing(_ edge: Edge, in destination: Destination) -> [Parameter] {
        let given = Set(destination.parameters.map { $0.name.bytewise })
        let needed = Set(edge.neededNames.map { $0.bytewise })
        return edge.parameters.filter { needed.contains($0.name.bytewise) && !given.contains($0.name.bytewise) }
    }

    /// Returns the edges by which a node opens a route above a stack.
    ///
    /// Above its initial child a node opens neither that child again nor a tab, since both would replace it.
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

    /// Returns the nodes that show a destination as their initial child, so that it may be below routes that they open.
    private static func showing(_ element: StackElement, in graph: CatalogGraph, among parents: [Int]) -> [Int] {
        let edge = graph.edges[element.edge]
        guard edge.parent != graph.entryNode, let initial = graph.initials[edge.parent].map({ graph.edges[$0] }),
            initial.child == edge.child, initial.presentation == edge.presentation,
            initial.adopt(initial.ownValues(element.arguments)) == initial.ownValues(element.arguments)
        else { return [] }
        return parents
    }
}

/// The first destination of a stack that isn't valid at its position.
package struct DestinationError: Error, Hashable, Sendable {
    /// The destination's index in the stack, from 0.
    package let index: Int

    /// The destination's route.
    package let route: String

    /// The error, as a sentence.
    package let message: String

    /// Creates an error from its parts.
    package init(index: Int, route: String, message: String) {
        self.index = index
        self.route = route
        self.message = message
    }
}

extension CatalogGraph {
    /// Returns the gate edges that present a destination over a stack.
    ///
    /// There are none if the stack is empty, has a dialog on top, or already has a gate over it.
    ///
    /// - Complexity: linear in the stack and the gates, and constant in a catalog without gate edges.
    func gateEdges(presenting destination: Destination, over stack: [StackElement]) -> [EdgeIndex] {
        guard !gateEdges.isEmpty, !stack.isEmpty, base(of: stack).count == stack.count else { return [] }
        return gateEdges.indices.map { EdgeIndex(entry.upperBound + $0) }
            .filter { index in
                edges[index].presentation == destination.presentation
                    && edges[index].routeName.bytewise == destination.route.bytewise
            }
    }

    /// Returns the part of a stack over which gates are presented: the destinations below another gate, without a
    /// dialog on top.
    ///
    /// - Complexity: linear in the stack.
    func base(of stack: [StackElement]) -> ArraySlice<StackElement> {
        var base = stack.prefix { gateEdge($0.edge) == nil }
        while let top = base.last, edges[top.edge].presentation.isDialog { base.removeLast() }
        return base
    }

    /// Returns the stack of a gate over the app's current stack: the gate's layer over the base.
    ///
    /// If the gate's top route is already on top of the base, the result is the base alone.
    ///
    /// - Returns: `nil` without a base.
    /// - Complexity: linear in the stacks.
    func stack(presenting layer: [StackElement], over shown: [StackElement]) -> [StackElement]? {
        var stack = Array(base(of: shown))
        guard let top = stack.last, let last = layer.last else { return nil }
        guard packed[top.edge].child != packed[last.edge].child else { return stack }
        for var element in layer {
            element.arguments = inheriting(element.arguments, of: edges[element.edge], above: stack)
            stack.append(element)
        }
        return stack
    }
}
