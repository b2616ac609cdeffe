extension CatalogGraph {
    /// Returns the value that a destination above a stack inherits; `nil` if the nearest destination of the route has
    /// none, or there is none.
    ///
    /// - Complexity: linear in the stack.
    func value(_ inheritance: Inheritance, above stack: some BidirectionalCollection<StackElement>) -> ParameterValue? {
        let route = inheritance.route.bytewise
        guard let nearest = stack.last(where: { edges[$0.edge].routeName.bytewise == route }) else { return nil }
        return nearest.arguments.first { $0.name.bytewise == inheritance.parameter.bytewise }?.value
    }

    /// Returns the values of a destination with those that it inherits from a stack below it, in the declared order;
    /// given ones of the same names don't count.
    func inheriting(
        _ arguments: [BoundParameter],
        of edge: Edge,
        above stack: some BidirectionalCollection<StackElement>
    ) -> [BoundParameter] {
        guard edge.inherits else { return arguments }
        return edge.parameters.compactMap { parameter in
            guard let inheritance = parameter.inheritance else {
                return arguments.first { $0.name.bytewise == parameter.name.bytewise }
            }
            return value(inheritance, above: stack).map { BoundParameter(name: parameter.name, value: $0) }
        }
    }
}
