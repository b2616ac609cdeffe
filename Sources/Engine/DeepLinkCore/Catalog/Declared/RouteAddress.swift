/// The address of a route in a link: path segments, or the presence of a query key.
package enum RouteAddress: Hashable, Sendable {
    /// Segments; an empty pattern is a container, which adds a destination and consumes no segment.
    case path(PathPattern)

    /// A query key whose presence opens the route on top of the stack.
    case query(String)
}

extension RouteAddress {
    /// The path, as a list of one; empty for a query key.
    var patterns: [PathPattern] {
        if case .path(let pattern) = self { [pattern] } else { [] }
    }
}
