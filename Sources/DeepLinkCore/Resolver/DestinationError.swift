/// The first destination of a stack that isn't valid at its position.
package struct DestinationError: Error, Hashable, Sendable {
    /// The destination's index in the stack, from 0.
    package let index: Int

    /// The destination's route.
    package let route: String

    /// The error, as a sentence.
    package let message: String

    /// Creates an error from its parts.
    package init(index: Int, route: String, message: String) {
        self.index = index
        self.route = route
        self.message = message
    }
}
