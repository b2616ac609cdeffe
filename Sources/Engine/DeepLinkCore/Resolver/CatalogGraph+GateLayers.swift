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
