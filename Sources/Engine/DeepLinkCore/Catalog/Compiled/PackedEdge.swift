/// The frequently read fields of an edge, packed so that reading them retains nothing.
struct PackedEdge: Sendable {
    private let parentNode: Int32
    private let childRoute: Int32

    /// The child's initial edge, or a negative number if there is none.
    private let next: Int32

    // The ranges of the edge's texts in ``CatalogGraph/texts``.
    private let textStart: Int32
    private let jsonEnd: Int32
    private let segmentsEnd: Int32
    private let lastSegmentsEnd: Int32

    /// The level that a user needs for this edge.
    let authorizationLevel: AuthorizationLevel

    /// The grants that a user needs for this edge.
    let grants: GrantSet

    let isInitial: Bool
    let isLinkable: Bool
    let isTab: Bool

    /// Whether a query key opens the child.
    let isQuery: Bool

    /// Whether the link may have values for the child.
    let hasParameters: Bool

    /// Whether this is the only edge between its two routes.
    let isAlone: Bool

    /// Whether the child redirects to the link in its query.
    let isRedirect: Bool

    /// Whether the child opens routes by query keys.
    let childHasQueries: Bool

    /// Whether links to the child must be signed.
    let isSigned: Bool

    /// The child's only value from the link, if the parameter is of the most frequent kind.
    let value: SoleParameter?

    /// Packs the fields of an edge, and appends its texts to the texts of earlier edges.
    init(
        _ edge: Edge,
        childInitial: EdgeIndex?,
        isAlone: Bool,
        childHasQueries: Bool,
        isSigned: Bool,
        texts: inout [UInt8]
    ) {
        parentNode = Int32(edge.parent)
        childRoute = Int32(edge.child)
        next = childInitial.map { Int32($0.number) } ?? -1
        authorizationLevel = edge.authorizationLevel
        grants = edge.requirements.grants
        isInitial = edge.isInitial
        isLinkable = edge.isLinkable
        isTab = edge.presentation == .tab
        isQuery = edge.queryKey != nil
        hasParameters = !edge.parameters.isEmpty
        isRedirect = edge.linkParameter != nil
        self.isAlone = isAlone
        self.childHasQueries = childHasQueries
        self.isSigned = isSigned
        value = SoleParameter(edge)
        textStart = Int32(texts.count)
        texts += JSONWriter.prepared(route: edge.routeName, presentation: edge.presentation)
        jsonEnd = Int32(texts.count)
        let segments = value == nil && hasParameters ? [] : edge.address.patterns.flatMap { $0.segments }
        let place = value?.segment ?? segments.count
        for segment in segments[..<place] { Self.append(segment, to: &texts) }
        segmentsEnd = Int32(texts.count)
        for segment in segments.dropFirst(place + 1) { Self.append(segment, to: &texts) }
        lastSegmentsEnd = Int32(texts.count)
    }

    private static func append(_ segment: PathPattern.Segment, to texts: inout [UInt8]) {
        texts.append(ASCII.slash)
        PercentEncoding.append(segment.text, keeping: .literal, to: &texts)
    }

    /// The presenting route, or the node of `entry`.
    var parent: Int { Int(parentNode) }

    /// The opened route.
    var child: Int { Int(childRoute) }

    var childInitial: EdgeIndex? { next < 0 ? nil : EdgeIndex(next) }

    // MARK: Ranges of the texts

    /// The beginning of the destination in a plan's JSON.
    var json: Range<Int> { Int(textStart)..<Int(jsonEnd) }

    /// The segments of a printed path, each after its slash, up to the value if there is one.
    ///
    /// Empty if the path must be assembled.
    var segments: Range<Int> { Int(jsonEnd)..<Int(segmentsEnd) }

    /// The segments after the value.
    var lastSegments: Range<Int> { Int(segmentsEnd)..<Int(lastSegmentsEnd) }
}

/// The only parameter of an edge with a path of literals and one whole segment for it: the most frequent kind.
///
/// Such a path is read and printed without examining its pattern.
struct SoleParameter: Sendable {
    /// The index of the segment that holds the value.
    let segment: Int

    /// The type of the value: a text or a whole number.
    let type: PlainType

    init?(_ edge: Edge) {
        guard let pattern = edge.address.patterns.first, let parameter = edge.parameters.first,
            edge.parameters.count == 1, parameter.plainType != .other, !edge.hasOptionalSegments,
            let place = pattern.segments.firstIndex(where: { $0.parameterName != nil }),
            !pattern.segments[place].isRest
        else { return nil }
        segment = place
        type = parameter.plainType
    }
}

/// A destination under construction: its edge, and its values.
struct StackElement: Hashable, Sendable {
    /// The reason why a destination is in a stack.
    enum Origin: Hashable, Sendable {
        /// The path names it.
        case path

        /// Its parent shows it by default.
        case initial

        /// A key of the query opens it.
        case query

        /// The client already shows it.
        case current
    }

    /// The index in ``RouteCatalog/edges``.
    let edge: EdgeIndex

    /// The values, in the order of the edge's parameters.
    var arguments: [BoundParameter] = []

    /// The reason why the destination is in the stack.
    var origin = Origin.current
}
