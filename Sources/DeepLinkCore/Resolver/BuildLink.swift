/// Prints the link that leads to a stack.
///
/// The link is under the origin of the scheme that is given, else under the catalog's first. Resolving it gives the
/// stack back; that is checked before it is returned.
///
/// - Throws: ``LinkBuildingError``, which names the destination at fault: one that the catalog does not have there, that only
///   the app can open, or that a link gives in another way.
/// - Complexity: linear in the destinations and their parameters.
public func link(
    to stack: [Destination],
    scheme: String? = nil,
    catalog: RouteCatalog
) throws(LinkBuildingError) -> String {
    guard let origin = scheme.map(catalog.originIndex(ofScheme:)) ?? catalog.origins.indices.first else {
        throw .unknownScheme(scheme ?? "")
    }
    // A stack can be read in two ways where a route and its initial child open the same; either may have the link.
    var fault: DestinationError?
    for preference in StackReader.Preference.allCases {
        do throws(DestinationError) {
            let elements = try StackReader.read(stack, in: catalog.graph, preferring: preference)
            return try Resolver(catalog).link(to: elements, under: LinkPrefix(origin: origin))
        } catch {
            fault = fault ?? error
        }
    }
    throw .destination(fault ?? DestinationError(index: 0, route: "", message: "The stack is empty."))
}
