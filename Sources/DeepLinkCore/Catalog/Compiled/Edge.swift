/// An arrow from a route to one that it can present, with everything that opening it takes.
///
/// A class, since edges are handed from step to step of every resolution: that counts one reference, not one for each
/// of the parts.
public final class Edge: Sendable {
    /// The route that opens: an index into ``RouteCatalog/routes``, or their count for `entry`.
    public let parent: Int

    /// The route that is opened: an index into ``RouteCatalog/routes``.
    public let child: Int

    /// The way in which the child appears.
    public let presentation: Presentation

    /// Whether the parent shows this child when the link does not say otherwise.
    public let isInitial: Bool

    /// Whether links can take the edge; else only the app does.
    public let isLinkable: Bool

    /// The way in which links address the child here.
    public let address: RouteAddress

    /// The query key that opens the child, unless a path does.
    public let queryKey: String?

    /// Whether the key's value is ignored where it does not fit, and opens nothing then.
    let ignoresOpener: Bool

    /// Other paths that lead to the child here; they resolve and are never printed.
    public let aliases: [PathPattern]

    /// The child's parameters here, path names that were not declared included.
    public let parameters: [Parameter]

    /// The parameter of the child that holds the link which answers in its place; `nil` where the child is shown.
    public let linkParameter: Parameter?

    /// What coming this way takes of a user: what the edge and the route require together.
    public let requirements: Requirements

    /// The place where the catalog declares the edge.
    public let location: SourceLocation

    /// The name of the route that is opened.
    let routeName: String

    /// The sequences of segments that open the child, in the order that they are tried; none for a query route.
    let expansions: [PathExpansion]

    /// The expansion without a segment, by which a link passes through to what the child opens.
    let emptyExpansion: Int?

    /// Whether the path has segments that a link may leave out.
    let hasOptionalSegments: Bool

    /// For each parameter, whether it is read from the path.
    let isInPath: [Bool]

    /// The parameters that are read from the query.
    let queryParameters: [Parameter]

    init(parent: Int, child: Int, definition: EdgeDefinition, route: RouteDefinition) {
        self.parent = parent
        self.child = child
        presentation = definition.presentation
        isInitial = definition.isInitial
        isLinkable = definition.isLinkable
        requirements = route.requirements.merged(with: definition.requirements)
        location = definition.route.location
        routeName = route.name.value
        address = (definition.address ?? route.address).value
        queryKey = if case .query(let key) = address { key } else { nil }
        let patterns = address.patterns
        aliases = patterns.isEmpty ? [] : (definition.aliases ?? route.aliases).map(\.value)
        linkParameter = route.link?.value
        let parameters =
            Edge.parameters(definition.parameters ?? route.parameters, in: patterns)
            + [linkParameter].compactMap(\.self)
        self.parameters = parameters
        let expansions = PathExpansion.all(of: patterns + aliases, parameters: parameters)
        self.expansions = expansions
        emptyExpansion = expansions.firstIndex { $0.parts.isEmpty }
        let inPath = Set(expansions.flatMap { $0.parts.flatMap(\.parameters) })
        isInPath = parameters.indices.map(inPath.contains)
        hasOptionalSegments = patterns.contains { $0.segments.contains(where: \.isOptional) }
        let opener = queryKey.flatMap { key in parameters.first { $0.reads(key) } }
        ignoresOpener = opener?.ignoresInvalid == true
        queryParameters = parameters.indices.filter { !inPath.contains($0) && !parameters[$0].isFixed }
            .map { parameters[$0] }
    }

    /// The declared parameters, after the path's undeclared ones, which are texts.
    ///
    /// What takes the rest of a path is a list: the type and the pattern hold for every segment, and the bounds
    /// for how many there are.
    static func parameters(_ declared: [Located<Parameter>], in patterns: [PathPattern]) -> [Parameter] {
        let names = Set(declared.map(\.value.identifier))
        let undeclared = patterns.flatMap(\.segments).flatMap(\.identifiers).filter { !names.contains($0) }
            .map { Parameter(name: $0, type: .scalar(.string(min: nil, max: nil, pattern: nil))) }
        let rest = patterns.flatMap(\.segments).first(where: \.isRest)?.identifier
        return (undeclared + declared.map(\.value))
            .map { parameter in
                guard parameter.identifier == rest, case .scalar(let type) = parameter.type else {
                    return parameter
                }
                return parameter.with(type: type.asRest)
            }
    }

    /// The level that a user needs to come this way.
    public var authorizationLevel: AuthorizationLevel { requirements.authorizationLevel }

    /// The path and its aliases; none for a query route.
    var patterns: [PathPattern] { address.patterns + aliases }

    /// Whether links can name the child in their path.
    var takesPath: Bool { isLinkable && !expansions.isEmpty }

    /// Whether some link reaches the child without taking a segment.
    var canTakeNoSegment: Bool { isLinkable && emptyExpansion != nil }

    /// Returns whether a parameter must have a value: every expansion of the path and its aliases holds it, or the query
    /// has to.
    func isRequired(parameter index: Int) -> Bool {
        guard isInPath[index] else { return parameters[index].isRequired }
        return expansions.allSatisfy { $0.place(of: index) != nil }
    }

    /// Puts values that a client sent into the order declared; `nil` where they do not fit the edge.
    func adopt(_ values: [BoundParameter]) -> [BoundParameter]? {
        Parameter.adopt(values, for: parameters, isRequired: isRequired)
    }
}
