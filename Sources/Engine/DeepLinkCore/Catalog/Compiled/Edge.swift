/// A connection from a route to a route that it can present, with everything needed to open it.
///
/// An edge is a class because every resolution passes edges from step to step: this retains one reference instead of
/// one for each part.
package final class Edge: Sendable {
    /// The presenting route: an index into ``RouteCatalog/routes``, or their count for `entry`.
    package let parent: Int

    /// The opened route: an index into ``RouteCatalog/routes``.
    package let child: Int

    /// The presentation of the child.
    package let presentation: Presentation

    /// Whether the parent shows this child by default.
    package let isInitial: Bool

    /// Whether links, and not only the app, can take the edge.
    package let isLinkable: Bool

    /// The child's address here.
    package let address: RouteAddress

    /// The query key that opens the child, unless a path does.
    package let queryKey: String?

    /// Whether a value that does not fit the key is ignored instead of opening the route.
    let ignoresOpener: Bool

    /// The alternative paths to the child, which resolve but are never printed.
    package let aliases: [PathPattern]

    /// The child's parameters here, including undeclared names in the path.
    package let parameters: [Parameter]

    /// The child's parameter that holds the link to resolve instead, or `nil` if the child is shown.
    package let linkParameter: Parameter?

    /// The combined requirements of the edge and the route.
    package let requirements: Requirements

    /// The named app that has the child here, or `nil` for every app.
    package let app: AppIndex?

    /// The name of the group that declares the edge, or `nil` for an edge that the parent declares itself.
    package let group: String?

    /// The location of the edge's declaration.
    package let location: SourceLocation

    /// The locations of the keys of the edge's own declaration, without the route's.
    package let keys: KeyLocations

    /// The name of the opened route.
    let routeName: String

    /// The sequences of segments that open the child, in the order in which they are tried, empty for a query route.
    let expansions: [PathExpansion]

    /// The expansion without segments, through which a link continues to the routes that the child opens.
    let emptyExpansion: Int?

    /// Whether the path has segments that a link may leave out.
    let hasOptionalSegments: Bool

    /// Whether each parameter is read from the path.
    let isInPath: [Bool]

    /// Whether some parameter inherits its value from a destination below.
    let inherits: Bool

    /// The parameters that are read from the query.
    let queryParameters: [Parameter]

    init(parent: Int, child: Int, definition: EdgeDefinition, route: RouteDefinition) {
        self.parent = parent
        self.child = child
        presentation = definition.presentation
        isInitial = definition.isInitial
        isLinkable = definition.isLinkable
        requirements = route.requirements.merged(with: definition.requirements)
        app = definition.app ?? route.app
        group = definition.group
        location = definition.route.location
        keys = definition.keys
        routeName = route.name.value
        address = (definition.address ?? route.address).value
        queryKey = if case .query(let key) = address { key } else { nil }
        let patterns = address.patterns
        aliases = patterns.isEmpty ? [] : (definition.aliases ?? route.aliases).map { $0.value }
        linkParameter = route.link?.value
        let parameters =
            Edge.parameters(definition.parameters ?? route.parameters, in: patterns)
            + [linkParameter].compactMap { $0 }
        self.parameters = parameters
        let expansions = PathExpansion.all(of: patterns + aliases, parameters: parameters)
        self.expansions = expansions
        emptyExpansion = expansions.firstIndex { $0.parts.isEmpty }
        let inPath = Set(expansions.flatMap { $0.parts.flatMap { $0.parameters } })
        isInPath = parameters.indices.map(inPath.contains)
        inherits = parameters.contains { $0.inheritance != nil }
        hasOptionalSegments = patterns.contains { $0.segments.contains { $0.isOptional } }
        let opener = queryKey.flatMap { key in parameters.first { $0.reads(key) } }
        ignoresOpener = opener?.ignoresInvalid == true
        queryParameters = parameters.indices.filter { !inPath.contains($0) && !parameters[$0].isFixed }
            .map { parameters[$0] }
    }

    /// Creates the edge by which a gate presents the child of another edge over any destination, without a link.
    init(_ declared: Edge, over presentation: Presentation, from node: Int) {
        parent = node
        child = declared.child
        self.presentation = presentation
        isInitial = false
        isLinkable = false
        address = declared.address
        queryKey = declared.queryKey
        ignoresOpener = declared.ignoresOpener
        aliases = declared.aliases
        parameters = declared.parameters
        linkParameter = declared.linkParameter
        requirements = declared.requirements
        app = declared.app
        group = nil
        location = declared.location
        keys = declared.keys
        routeName = declared.routeName
        expansions = declared.expansions
        emptyExpansion = declared.emptyExpansion
        hasOptionalSegments = declared.hasOptionalSegments
        isInPath = declared.isInPath
        inherits = declared.inherits
        queryParameters = declared.queryParameters
    }

    /// Returns the declared parameters, after the undeclared parameters of the path, which are texts.
    ///
    /// A parameter for the rest of a path is a list. The type and the pattern apply to every segment, and the bounds to
    /// their number.
    static func parameters(_ declared: [Located<Parameter>], in patterns: [PathPattern]) -> [Parameter] {
        let names = Set(declared.map { $0.value.identifier })
        let undeclared = patterns.flatMap { $0.segments }.flatMap { $0.identifiers }.filter { !names.contains($0) }
            .map { Parameter(name: $0, type: .scalar(.anyText)) }
        let rest = patterns.flatMap { $0.segments }.first { $0.isRest }?.identifier
        return (undeclared + declared.map { $0.value })
            .map { parameter in
                guard parameter.identifier == rest, case .scalar(let type) = parameter.type else {
                    return parameter
                }
                return parameter.with(type: type.asRest)
            }
    }

    /// The level that a user needs for this edge.
    package var authorizationLevel: AuthorizationLevel { requirements.authorizationLevel }

    /// The path and its aliases, empty for a query route.
    var patterns: [PathPattern] { address.patterns + aliases }

    /// Whether links can name the child in their path.
    var takesPath: Bool { isLinkable && !expansions.isEmpty }

    /// Whether some link reaches the child without consuming a segment.
    package var canTakeNoSegment: Bool { isLinkable && emptyExpansion != nil }

    /// Returns whether a link must give a parameter's value: every expansion of the path and its aliases holds it, or
    /// the query requires it.
    func isRequired(parameter index: Int) -> Bool {
        guard isInPath[index] else { return parameters[index].isRequired && parameters[index].inheritance == nil }
        return expansions.allSatisfy { $0.place(of: index) != nil }
    }

    /// Arranges a client's values in the declared order, or returns `nil` if they do not fit the edge.
    func adopt(_ values: [BoundParameter]) -> [BoundParameter]? {
        Parameter.adopt(values, for: parameters, isRequired: isRequired)
    }

    /// Returns a destination's values without the inherited ones.
    func ownValues(_ values: [BoundParameter]) -> [BoundParameter] {
        guard inherits else { return values }
        let inherited = Set(parameters.filter { $0.inheritance != nil }.map { $0.name.bytewise })
        return values.filter { !inherited.contains($0.name.bytewise) }
    }
}

extension Edge {
    /// Returns whether every destination of this edge has a value of a parameter.
    ///
    /// The value comes from the path, a required query key, a fixed value, a default, or a destination below.
    package func alwaysHas(parameter index: Int) -> Bool {
        isRequired(parameter: index) || parameters[index].fixedValue != nil || parameters[index].defaultValue != nil
            || parameters[index].inheritance != nil && parameters[index].isRequired
    }
}

extension Edge {
    /// The names of the values that a link to this edge must give: all without a default, and the value of the key that
    /// opens the route.
    var neededNames: [String] {
        parameters.indices
            .filter { index in
                let parameter = parameters[index]
                let isOpener = queryKey.map(parameter.reads) ?? false
                return !parameter.isFixed && parameter.defaultValue == nil
                    && (isOpener || isRequired(parameter: index))
            }
            .map { parameters[$0].name }
    }

    /// Returns the number of segments in a link to this edge with some values, defaults left out.
    func segmentCount(of arguments: [BoundParameter]) -> Int {
        let given = arguments.compactMap { argument -> (index: Int, count: Int)? in
            guard let index = parameters.firstIndex(where: { $0.name.bytewise == argument.name.bytewise }),
                isInPath[index], parameters[index].defaultValue != argument.value
            else { return nil }
            if case .list(let items) = argument.value { return (index, items.count) }
            return (index, 1)
        }
        let counts = expansions.lazy.filter { $0.pattern == 0 }
            .compactMap { expansion -> Int? in
                guard given.allSatisfy({ expansion.place(of: $0.index) != nil }) else { return nil }
                return given.reduce(expansion.parts.count) { $0 + $1.count - 1 }
            }
        return counts.min() ?? 0
    }
}

/// A named, linkable screen of the app.
///
/// These properties hold wherever the route is opened, unless the ``Edge`` overrides them.
package struct Route: Sendable {
    /// The name, unique in its catalog.
    package let name: String

    /// The description for readers of the catalog.
    package let description: String?

    /// The requirements of the route.
    package let requirements: Requirements

    /// The named app that has the route, or `nil` for every app.
    package let app: AppIndex?

    /// The route's address in links.
    package let address: RouteAddress

    /// The alternative paths to the route.
    package let aliases: [PathPattern]

    /// The parameters, in the order in which plans list them.
    package let parameters: [Parameter]

    /// The last parameter, which holds the link to resolve instead, or `nil` if the route is shown.
    package let link: Parameter?

    /// The route's page for browsers and previews.
    package let page: RoutePage?

    /// Whether links to the route, and to the routes that it opens, must be signed.
    package let isSigned: Bool

    /// The terms of short links to the route, or `nil` if it has none.
    package let shortLink: ShortLinkTerms?

    /// The outgoing edges of the route, as indexes into ``RouteCatalog/edges``.
    package let opens: Range<Int>

    /// The names of the groups whose edges the route has, each once, in the order declared.
    package let groups: [String]

    /// The location of the route's declaration.
    package let location: SourceLocation

    /// The locations of the declaration's keys.
    package let keys: KeyLocations

    /// The level that a user needs.
    package var authorizationLevel: AuthorizationLevel { requirements.authorizationLevel }
}
