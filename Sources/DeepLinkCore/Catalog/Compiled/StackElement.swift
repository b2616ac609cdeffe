/// A destination under construction: the edge that led to it, and its values.
struct StackElement: Hashable, Sendable {
    /// The reason why a destination is in a stack.
    enum Origin: Hashable, Sendable {
        /// The path names it.
        case path

        /// Its parent shows it by default.
        case initial

        /// A key of the query opens it.
        case query

        /// The client already shows it.
        case current
    }

    /// The index in ``RouteCatalog/edges``.
    let edge: EdgeIndex

    /// The values, in the order of the edge's parameters.
    var arguments: [BoundParameter] = []

    /// The reason why it is in the stack.
    var origin = Origin.current
}
