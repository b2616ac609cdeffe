/// The reason why a stack, or a destination, has no link.
public enum LinkBuildingError: Error, Hashable, Sendable {
    /// The catalog does not have a destination there, or no link opens it so.
    case destination(DestinationError)

    /// Several stacks, equally short, end with the destination that was asked for.
    case ambiguous(route: String, ways: [[Destination]])

    /// No origin has the scheme that was asked for.
    case unknownScheme(String)
}
