/// Is a destination while it is being worked on: the edge it came by, and its values.
struct StackElement: Hashable, Sendable {
    /// Index into ``RouteCatalog/edges``.
    let edge: Int

    /// The values, in the order of the edge's parameters.
    var arguments: [BoundParameter] = []
}
