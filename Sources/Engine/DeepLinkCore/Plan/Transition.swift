/// The transition from a client's current stack to another: some destinations kept, the others dismissed, the rest
/// presented.
///
/// As many as possible are kept: those from the root on whose route, presentation and parameters are equal.
package struct Transition: Equatable, Sendable {
    /// The number of kept destinations of the current stack, from the root on.
    package let keep: Int

    /// The number of dismissed destinations of the current stack, from the top down.
    package let dismiss: Int

    /// The destinations to present next, in order.
    package let present: [Destination]

    /// The index of the first destination of the current stack that the catalog does not know; `nil` for none.
    ///
    /// It and all destinations above it are dismissed.
    package let unknownFrom: Int?

    /// Creates the transition between two stacks.
    ///
    /// `unknownCount` is the number of further destinations on top of the current stack that the catalog does not know.
    ///
    /// - Complexity: O(*n*) in the number of destinations.
    package init(from current: [Destination], to stack: [Destination], unknownCount: Int? = nil) {
        keep = zip(current, stack).prefix { $0 == $1 }.count
        dismiss = current.count + (unknownCount ?? 0) - keep
        present = Array(stack[keep...])
        unknownFrom = unknownCount.map { _ in current.count }
    }
}
