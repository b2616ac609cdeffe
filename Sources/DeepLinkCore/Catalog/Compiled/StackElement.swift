/// A destination while it is being worked on: the edge it came by, and its values.
struct StackElement: Hashable, Sendable {
    /// The reason why a destination stands in a stack.
    enum Origin: Hashable, Sendable {
        /// The path names it.
        case path

        /// Its parent shows it where the link does not say otherwise.
        case initial

        /// A key of the query opens it.
        case query

        /// The client shows it already.
        case current
    }

    /// Index into ``RouteCatalog/edges``.
    let edge: EdgeIndex

    /// The values, in the order of the edge's parameters.
    var arguments: [BoundParameter] = []

    /// Why it stands there.
    var origin = Origin.current
}
