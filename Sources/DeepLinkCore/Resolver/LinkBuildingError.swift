/// The reason why a stack, or a destination, has no link.
package enum LinkBuildingError: Error, Hashable, Sendable {
    /// The parent does not open a destination, or no link opens it in that way.
    case destination(DestinationError)

    /// No origin has the requested scheme.
    case unknownScheme(String)
}
