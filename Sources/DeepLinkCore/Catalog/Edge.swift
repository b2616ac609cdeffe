/// Joins a route to one that it can present, with everything that opening it takes.
public struct Edge: Sendable {
    /// The route that opens: an index into ``RouteCatalog/routes``, or their count for `entry`.
    public let parent: Int

    /// The route that is opened: an index into ``RouteCatalog/routes``.
    public let child: Int

    /// How the child appears.
    public let presentation: Presentation

    /// Whether the parent shows this child when the link does not say otherwise.
    public let isInitial: Bool

    /// How links address the child here.
    public let address: RouteAddress

    /// The child's parameters here, path names that were not declared included.
    public let parameters: [Parameter]

    /// The level that a user needs to come this way.
    public let authorizationLevel: AuthorizationLevel

    /// Where the catalog declares the edge.
    public let location: SourceLocation

    /// For each segment of the path pattern, which parameter it holds; `nil` for a literal.
    let segmentParameters: [Int?]

    init(parent: Int, child: Int, definition: EdgeDefinition, route: RouteDefinition) {
        self.parent = parent
        self.child = child
        presentation = definition.presentation
        isInitial = definition.isInitial
        address = route.address.value
        authorizationLevel = route.authorizationLevel
        location = definition.route.location
        parameters = Edge.parameters(of: route)
        let names = parameters.map(\.name)
        segmentParameters = pathSegments(of: route.address.value)
            .map { segment in
                segment.parameterName.flatMap { names.firstIndex(of: $0) }
            }
    }

    /// The declared parameters, after the path's undeclared ones, which are texts.
    static func parameters(of route: RouteDefinition) -> [Parameter] {
        let declared = route.parameters.map(\.value)
        let names = Set(declared.map(\.name))
        let undeclared = pathSegments(of: route.address.value).compactMap(\.parameterName)
            .filter { !names.contains($0) }
            .map { Parameter(name: $0, type: .string(min: nil, max: nil, pattern: nil)) }
        return undeclared + declared
    }

    /// The path segments that open the child; none for a container or a query route.
    var segments: [PathPattern.Segment] { pathSegments(of: address) }

    /// Whether the child adds a destination and takes no segment.
    public var isContainer: Bool { address == .path(PathPattern([])) }

    /// The query key that opens the child, unless a path does.
    public var queryKey: String? {
        if case .query(let key) = address { key } else { nil }
    }

    /// Tells whether a parameter is read from the path.
    func isInPath(parameter index: Int) -> Bool { segmentParameters.contains(index) }
}

private func pathSegments(of address: RouteAddress) -> [PathPattern.Segment] {
    if case .path(let pattern) = address { pattern.segments } else { [] }
}
