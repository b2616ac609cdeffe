/// Says why a path that matches still makes no stack.
enum StackFailure: Error, Hashable, Sendable {
    /// A parameter is missing or does not fit.
    case invalidParameter(InvalidParameter)

    /// The query wants to open several destinations over one screen.
    case conflictingDestinations([String])
}
