/// The edge by which each destination of a stack is printed, and which destinations a link leaves out.
struct PrintPlan {
    /// The edges where they differ from those of the stack, by the place in it.
    private var others: [Int: EdgeIndex] = [:]

    /// The places of the destinations that are not printed.
    private var hidden: Set<Int> = []

    /// Decides from the top down: an initial child is printed only where it is on top or opens the next printed
    /// destination, and one that only an unprinted one leads to is not needed either.
    init(_ stack: [StackElement], in graph: CatalogGraph) {
        var parentOfNext: Int?
        for index in stack.indices.reversed() {
            var edge = stack[index].edge
            var isInitial = graph.packed[edge].isInitial
            if !graph.packed[edge].isAlone {
                (edge, isInitial) = Self.alternative(to: stack[index], in: graph)
                others[index] = edge
            }
            let facts = graph.packed[edge]
            // What a key opens over its parent is there without the key.
            if isInitial, facts.isQuery || (parentOfNext.map { $0 != facts.child } ?? !facts.isLinkable) {
                hidden.insert(index)
            } else {
                parentOfNext = facts.parent
            }
        }
    }

    /// The edge by which the destination at a place is printed.
    func edge(of element: StackElement, at index: Int) -> EdgeIndex {
        others.isEmpty ? element.edge : others[index] ?? element.edge
    }

    /// Whether the destination at a place is printed.
    func isPrinted(_ index: Int) -> Bool { hidden.isEmpty || !hidden.contains(index) }

    /// Finds the edge by which a destination is printed, and whether a link that leaves it out means the same.
    ///
    /// Of the edges between the same two routes that present it the same way, the first whose parameters fit is
    /// printed; where the initial one is among them, it is shown without being named.
    private static func alternative(
        to element: StackElement,
        in graph: CatalogGraph
    ) -> (edge: EdgeIndex, isInitial: Bool) {
        let own = graph.edges[element.edge]
        let fitting = graph.alternatives[element.edge]
            .filter { index in
                let edge = graph.edges[index]
                return edge.presentation == own.presentation && edge.adopt(element.arguments) == element.arguments
            }
        let isInitial = fitting.contains { graph.packed[$0].isInitial }
        let first = fitting.first { graph.packed[$0].isLinkable && !(isInitial && graph.packed[$0].isQuery) }
        return (first ?? element.edge, isInitial)
    }
}
