/// Prints the link that leads to a stack.
///
/// The link is under the origin of the scheme that is given, else under the catalog's first. Resolving it gives the
/// stack back; that is checked before it is returned.
///
/// - Throws: ``NoLink``, which names the destination at fault: one that the catalog does not have there, that only
///   the app can open, or that a link gives in another way.
/// - Complexity: linear in the destinations.
public func link(
    to stack: [Destination],
    scheme: String? = nil,
    catalog: RouteCatalog
) throws(NoLink) -> String {
    guard let origin = scheme.map({ catalog.origin(ofScheme: $0) }) ?? catalog.origins.first else {
        throw NoLink(
            reason: .unknownScheme,
            route: "",
            index: 0,
            message: "No origin has the scheme `\(scheme ?? "")`."
        )
    }
    let resolver = Resolver(catalog)
    do throws(UnfittingDestination) {
        let elements = try StackReader.read(stack, in: catalog.graph)
        do throws(UnprintableDestination) {
            return try resolver.link(to: elements, under: LinkBase(origin))
        } catch {
            throw UnfittingDestination(
                index: error.index,
                message:
                    "No link opens `\(stack.indices.contains(error.index) ? stack[error.index].route : "")` as it stands here."
            )
        }
    } catch {
        throw NoLink(
            reason: .destination,
            route: stack.indices.contains(error.index) ? stack[error.index].route : "",
            index: error.index,
            message: error.message
        )
    }
}
