/// The way from a client's current stack to another: keep some destinations, dismiss the others, present
/// the rest.
///
/// As many are kept as possible: those from the root on whose route, presentation and parameters are equal.
public struct Transition: Equatable, Sendable {
    /// The number of destinations of the current stack that stay, from the root on.
    public let keep: Int

    /// The number of destinations of the current stack that are dismissed, from the top down.
    public let dismiss: Int

    /// The destinations to present then, in order.
    public let present: [Destination]

    /// The index of the first destination of the current stack that the catalog does not know; `nil` for none.
    ///
    /// It and all over it are dismissed.
    public let unknownFrom: Int?

    /// Compares two stacks.
    ///
    /// Over the current one stand as many destinations more as `unknownCount` says, which the catalog does not know.
    ///
    /// - Complexity: O(*n*) in the destinations.
    public init(from current: [Destination], to stack: [Destination], unknownCount: Int? = nil) {
        keep = zip(current, stack).prefix { $0 == $1 }.count
        dismiss = current.count + (unknownCount ?? 0) - keep
        present = Array(stack[keep...])
        unknownFrom = unknownCount.map { _ in current.count }
    }
}
