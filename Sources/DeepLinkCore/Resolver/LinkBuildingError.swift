/// The reason why a stack has no link.
public enum LinkBuildingError: Error, Hashable, Sendable {
    /// The catalog does not have a destination there, or no link opens it so.
    case destination(DestinationError)

    /// No origin has the scheme that was asked for.
    case unknownScheme(String)
}
