/// Returns the link that leads to a stack.
///
/// The link is under the first origin of the given scheme, otherwise under the catalog's first. Resolving it gives the
/// same stack; this is verified before it is returned.
///
/// - Throws: ``LinkBuildingError``, with the destination at fault: one that its parent does not open, that only the app
///   can open, or that a link opens differently.
/// - Complexity: linear in the destinations and their parameters.
package func link(
    to stack: [Destination],
    scheme: String? = nil,
    catalog: RouteCatalog
) throws(LinkBuildingError) -> String {
    guard let origin = scheme.map(catalog.originKeyIndex(ofScheme:)) ?? catalog.originKeys.indices.first else {
        throw .unknownScheme(scheme ?? "")
    }
    let prefixes = catalog.prefixes(preferring: origin)
    // A stack can be read in two ways if a route and its initial child open the same route; either may have the link.
    var fault: DestinationError?
    for preference in StackReader.Preference.allCases {
        for prefix in prefixes {
            do throws(DestinationError) {
                let elements = try StackReader.read(stack, in: catalog.graph, preferring: preference)
                return try Resolver(catalog).link(to: elements, under: prefix)
            } catch {
                // Another origin's table without the stack is not the stack's fault.
                let isMeant = prefix.origin == origin || !catalog.originKeys[prefix.origin].hasHostSegment
                if isMeant { fault = fault ?? error }
            }
        }
    }
    throw .destination(fault ?? DestinationError(index: 0, route: "", message: "The stack is empty."))
}

/// The most edges to a route whose parameters are listed if none of them fits.
private let maximumExampleCount = 16

/// Returns the link that leads to a destination, with the stack below it chosen automatically.
///
/// Of all stacks that begin at `entry`, end with the destination and need no value for any other, the shortest one is
/// printed.
///
/// - Throws: ``LinkBuildingError``, if there are several of that length, or none that has a link.
/// - Complexity: linear in the catalog's edges.
package func link(
    toRoute route: String,
    parameters: [BoundParameter] = [],
    scheme: String? = nil,
    catalog: RouteCatalog
) throws(LinkBuildingError) -> String {
    let graph = catalog.graph
    func fault(_ message: String) -> LinkBuildingError {
        .destination(DestinationError(index: 0, route: route, message: message))
    }
    let leading = graph.edges.indices.filter { graph.edges[$0].routeName.bytewise == route.bytewise }
        .map { EdgeIndex($0) }
    guard !leading.isEmpty else { throw fault("There is no route `\(route)`.") }
    let linkable = leading.filter { graph.packed[$0].isLinkable }
    guard !linkable.isEmpty else { throw fault("Only the app opens `\(route)`, no link does.") }
    var arguments: [EdgeIndex: [BoundParameter]] = [:]
    for edge in linkable { arguments[edge] = graph.edges[edge].adopt(parameters) }
    guard !arguments.isEmpty else {
        let destination = Destination(route: route, presentation: .push, parameters: parameters)
        throw fault(StackReader.misfit(of: destination, linkable.prefix(maximumExampleCount).map { graph.edges[$0] }))
    }
    var stacks: [[Destination]] = []
    for way in ShortestWays.find(through: Set(arguments.keys), in: graph) {
        let elements = way.enumerated()
            .map { index, edge in
                let values = index == way.count - 1 ? arguments[edge] : graph.edges[edge].adopt([])
                return StackElement(edge: edge, arguments: values ?? [])
            }
        let stack = graph.destinations(elements)
        if !stacks.contains(stack) { stacks.append(stack) }
    }
    guard !stacks.isEmpty else {
        throw fault("The stack below `\(route)` needs values; send the whole stack.")
    }
    var links: [(link: String, stack: [Destination])] = []
    var failure: LinkBuildingError?
    for stack in stacks {
        do throws(LinkBuildingError) {
            links.append((try link(to: stack, scheme: scheme, catalog: catalog), stack))
        } catch {
            failure = failure ?? error
        }
    }
    guard links.count < 2 else { throw .ambiguous(route: route, ways: links.map(\.stack)) }
    guard let only = links.first else { throw failure ?? fault("No link opens `\(route)`.") }
    return only.link
}
