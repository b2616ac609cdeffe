/// Returns the link to a stack.
///
/// The link is under the first origin of the given scheme, otherwise under the catalog's first. Where hosts are segments
/// and none begins the stack, it is under the next origin that can print it: of the given scheme, otherwise of any.
/// Initial children that every link inserts may be left out of the stack. Before the link is returned, it is resolved to
/// verify that the result is the stack with them.
///
/// - Throws: ``LinkBuildingError`` with the destination at fault: its parent does not open it, only the app can open
///   it, or a link opens it differently.
/// - Complexity: linear in the destinations and their parameters.
package func link(
    to stack: [Destination],
    scheme: String? = nil,
    catalog: RouteCatalog
) throws(LinkBuildingError) -> String {
    try linked(stack, scheme: scheme, catalog: catalog).link
}

private func linked(
    _ stack: [Destination],
    scheme: String?,
    catalog: RouteCatalog
) throws(LinkBuildingError) -> ScreenLink {
    guard let origin = scheme.map(catalog.originKeyIndex(ofScheme:)) ?? catalog.originKeys.indices.first else {
        throw .unknownScheme(scheme ?? "")
    }
    let prefixes = catalog.prefixes(preferring: origin, ofAnyScheme: scheme == nil)
    // A stack can be read in two ways if a route and its initial child open the same route. Either may have the link.
    var fault: DestinationError?
    for preference in StackReader.Preference.allCases {
        for prefix in prefixes {
            do throws(DestinationError) {
                let elements = try StackReader.read(stack, in: catalog.graph, preferring: preference)
                let (completed, sources) = catalog.graph.completed(elements)
                do throws(DestinationError) {
                    let link = try Resolver(catalog).link(to: completed, under: prefix)
                    return ScreenLink(link: link, stack: catalog.graph.destinations(completed))
                } catch {
                    let index = sources.indices.contains(error.index) ? sources[error.index] : error.index
                    throw DestinationError(index: index, route: error.route, message: error.message)
                }
            } catch {
                // It is not the stack's fault if another origin's table does not contain it.
                let isMeant = prefix.origin == origin || !catalog.originKeys[prefix.origin].hasHostSegment
                if isMeant { fault = fault ?? error }
            }
        }
    }
    guard let fault else { throw .destination(DestinationError(index: 0, route: "", message: "The stack is empty.")) }
    let advice = catalog.graph.advice(on: fault, in: stack).map { " " + $0 } ?? ""
    throw .destination(DestinationError(index: fault.index, route: fault.route, message: fault.message + advice))
}

/// A link and its stack.
package struct ScreenLink: Hashable, Sendable {
    /// The link, which resolves to ``stack``.
    package let link: String

    /// The stack, root first.
    package let stack: [Destination]
}

/// The maximum number of edges to a route that are listed with their parameters if none of them fits.
private let maximumExampleCount = 16

/// The maximum number of paths to a screen that are tried.
private let maximumWayCount = 16

/// Returns the link to a screen, with the stack below it chosen automatically.
///
/// Only paths are considered on which no other destination needs a value. Of these, the path with the fewest segments
/// in its link is taken, and of several the first in the order of `opens`, from `entry` on. A screen with initial
/// children is shown with them.
///
/// - Throws: ``LinkBuildingError`` if there is no path, with the values that other destinations need.
/// - Complexity: linear in the catalog's edges.
package func link(
    toRoute route: String,
    parameters: [BoundParameter] = [],
    scheme: String? = nil,
    catalog: RouteCatalog
) throws(LinkBuildingError) -> ScreenLink {
    let graph = catalog.graph
    func fault(_ message: String) -> LinkBuildingError {
        .destination(DestinationError(index: 0, route: route, message: message))
    }
    let leading = graph.edges.indices.filter { graph.edges[$0].routeName.bytewise == route.bytewise }
        .map { EdgeIndex($0) }
    guard !leading.isEmpty else { throw fault("There is no route `\(route)`.") }
    let linkable = leading.filter { graph.packed[$0].isLinkable }
    guard !linkable.isEmpty else { throw fault("Only the app opens `\(route)`, no link does.") }
    // An inherited value is given to the destination that it comes from.
    let given = GivenValues(parameters, of: linkable.map { graph.edges[$0] }, in: graph)
    var arguments: [EdgeIndex: [BoundParameter]] = [:]
    for edge in linkable where given.fit(graph.edges[edge]) {
        arguments[edge] = graph.edges[edge].adopt(graph.edges[edge].ownValues(parameters))
    }
    guard !arguments.isEmpty else {
        let destination = Destination(route: route, presentation: .push, parameters: parameters)
        throw fault(StackReader.misfit(of: destination, linkable.prefix(maximumExampleCount).map { graph.edges[$0] }))
    }
    let ends = Dictionary(uniqueKeysWithValues: arguments.map { ($0, graph.edges[$0].segmentCount(of: $1)) })
    var failure: LinkBuildingError?
    var wayCount = 0
    var ways = PathsToScreen(to: ends, in: graph) { edge in
        given.values(of: graph.edges[edge]).map(graph.edges[edge].segmentCount)
    }
    let found = ways.first { way -> Result<ScreenLink, LinkBuildingError>? in
        let elements = way.enumerated()
            .map { index, edge in
                let values = index == way.count - 1 ? arguments[edge] : given.values(of: graph.edges[edge])
                return StackElement(edge: edge, arguments: values ?? [])
            }
        do throws(LinkBuildingError) {
            let link = try linked(graph.destinations(elements), scheme: scheme, catalog: catalog)
            return given.areAll(in: link.stack) ? .success(link) : nil
        } catch {
            failure = failure ?? error
            wayCount += 1
            return wayCount < maximumWayCount ? nil : .failure(error)
        }
    }
    if case .success(let link)? = found { return link }
    throw failure ?? fault(neededValues(below: route, ends: ends, given: given, in: graph))
}

/// Returns a message with the values that other destinations need on the path that needs the fewest.
private func neededValues(
    below route: String,
    ends: [EdgeIndex: Int],
    given: GivenValues,
    in graph: CatalogGraph
) -> String {
    var ways = PathsToScreen(to: ends.mapValues { _ in 0 }, in: graph) { given.missingNames(of: graph.edges[$0]).count }
    guard let way = ways.first({ $0 }) else { return "No link leads to a route that opens `\(route)`." }
    let needs = way.dropLast()
        .flatMap { edge in
            given.missingNames(of: graph.edges[edge]).map { "`\($0)` of `\(graph.edges[edge].routeName)`" }
        }
    guard !needs.isEmpty else { return "No link opens `\(route)`." }
    return "A link to `\(route)` also needs \(needs.joined(separator: " and ")); send the whole stack."
}

/// The values for a link to a screen, besides the screen's own: inherited ones, given to the destinations of their
/// origin.
private struct GivenValues {
    /// The values of the screen.
    private let parameters: [BoundParameter]

    /// The names of the screen's inherited values.
    private let inherited: Set<ByteText>

    /// The values of other routes.
    private var values: [ByteText: [BoundParameter]] = [:]

    init(_ parameters: [BoundParameter], of edges: [Edge], in graph: CatalogGraph) {
        self.parameters = parameters
        let origins = edges.flatMap { edge in edge.parameters.compactMap { $0.inheritance == nil ? nil : $0 } }
        inherited = Set(origins.map { $0.name.bytewise })
        for value in parameters {
            guard let parameter = origins.first(where: { $0.name.bytewise == value.name.bytewise }),
                let origin = parameter.inheritance.flatMap(graph.origin)
            else { continue }
            values[origin.route.bytewise, default: []]
                .append(
                    BoundParameter(name: origin.parameter, value: value.value)
                )
        }
    }

    /// Returns whether the inherited values of an edge to the screen have the right types.
    func fit(_ edge: Edge) -> Bool {
        edge.parameters.allSatisfy { parameter in
            parameter.inheritance == nil
                || parameters.allSatisfy {
                    $0.name.bytewise != parameter.name.bytewise || parameter.type.adopt($0.value) != nil
                }
        }
    }

    /// Returns the values of a destination below the screen, or `nil` if it needs others.
    func values(of edge: Edge) -> [BoundParameter]? {
        guard missingNames(of: edge).isEmpty else { return nil }
        return edge.adopt(values[edge.routeName.bytewise] ?? [])
    }

    /// Returns the names of the missing values that a destination below the screen needs.
    func missingNames(of edge: Edge) -> [String] {
        let given = Set((values[edge.routeName.bytewise] ?? []).map { $0.name.bytewise })
        return edge.neededNames.filter { !given.contains($0.bytewise) }
    }

    /// Returns whether a stack has all the given inherited values.
    func areAll(in stack: [Destination]) -> Bool {
        guard !values.isEmpty else { return true }
        return parameters.allSatisfy { value in
            !inherited.contains(value.name.bytewise)
                || stack.contains { destination in
                    destination.parameters.contains {
                        $0.name.bytewise == value.name.bytewise && $0.value == value.value
                    }
                }
        }
    }
}

extension CatalogGraph {
    /// Returns the parameter, set by links, from which a value is inherited in the end.
    fileprivate func origin(of inheritance: Inheritance) -> Inheritance? {
        var origin = inheritance
        // A catalog has no cycle of inherited values, so this ends.
        for _ in routes.indices {
            let edges = edges.lazy.filter { $0.routeName.bytewise == origin.route.bytewise }
            let further = edges.compactMap { edge in
                edge.parameters.first { $0.name.bytewise == origin.parameter.bytewise }?.inheritance
            }
            guard let next = further.first else { return origin }
            origin = next
        }
        return nil
    }
}

/// The reason why a stack or a destination cannot have a link.
package enum LinkBuildingError: Error, Hashable, Sendable {
    /// The parent does not open a destination, or no link opens it in that way.
    case destination(DestinationError)

    /// No origin has the requested scheme.
    case unknownScheme(String)
}
