/// The way in which a link addresses a route: by path segments, or by the presence of a query key.
public enum RouteAddress: Hashable, Sendable {
    /// By segments; an empty pattern is a container, which adds a destination and takes no segment.
    case path(PathPattern)

    /// By the presence of a query key at the top of the stack.
    case query(String)
}

extension RouteAddress {
    /// The path, as a list of one; none for a query key.
    var patterns: [PathPattern] {
        if case .path(let pattern) = self { [pattern] } else { [] }
    }
}
