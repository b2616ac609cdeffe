/// Says why a well-formed link leads nowhere in a catalog.
public enum LinkFailure: Error, Equatable, Sendable {
    /// The link's scheme, host, port and path prefix are those of no origin.
    case unknownOrigin

    /// The stack that the client shows now does not fit the catalog.
    case invalidCurrentStack(InvalidCurrentStack)

    /// No route matches the whole path.
    case noMatchingRoute(NoMatchingRoute)

    /// A parameter is missing or does not fit its type.
    case invalidParameter(InvalidParameter)

    /// The query wants to open several destinations over one screen.
    case conflictingDestinations([String])

    /// One route would stand in the stack more often than the limit.
    case tooDeep(limit: Int)
}
