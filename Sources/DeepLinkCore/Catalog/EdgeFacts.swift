/// Says of an edge what is asked of every edge of every stack, in plain numbers: whoever asks counts no references.
struct EdgeFacts: Sendable {
    private let parentNode: Int32
    private let childRoute: Int32

    /// The child's initial edge; negative for none.
    private let next: Int32

    private let jsonStart: Int32
    private let jsonEnd: Int32
    private let segmentsEnd: Int32

    /// The level that a user needs to come this way.
    let authorizationLevel: AuthorizationLevel

    let isInitial: Bool
    let isLinkable: Bool
    let isTab: Bool

    /// Whether a query key opens the child.
    let isQuery: Bool

    /// Whether the link may have values for the child.
    let hasParameters: Bool

    /// Whether this is the only edge between its two routes.
    let isAlone: Bool

    /// Whether the child opens others by query keys.
    let childHasQueries: Bool

    init(
        _ edge: Edge,
        childInitial: Int?,
        isAlone: Bool,
        childHasQueries: Bool,
        texts: (start: Int, json: Int, segments: Int)
    ) {
        parentNode = Int32(edge.parent)
        childRoute = Int32(edge.child)
        next = childInitial.map(Int32.init) ?? -1
        jsonStart = Int32(texts.start)
        jsonEnd = Int32(texts.json)
        segmentsEnd = Int32(texts.segments)
        authorizationLevel = edge.authorizationLevel
        isInitial = edge.isInitial
        isLinkable = edge.isLinkable
        isTab = edge.presentation == .tab
        isQuery = edge.queryKey != nil
        hasParameters = !edge.parameters.isEmpty
        self.isAlone = isAlone
        self.childHasQueries = childHasQueries
    }

    /// The route that opens, or the node of `entry`.
    var parent: Int { Int(parentNode) }

    /// The route that is opened.
    var child: Int { Int(childRoute) }

    /// The initial edge of the child.
    var childInitial: Int? { next < 0 ? nil : Int(next) }

    /// Where ``CatalogGraph/texts`` holds what begins the destination in the JSON of a plan.
    var json: Range<Int> { Int(jsonStart)..<Int(jsonEnd) }

    /// Where ``CatalogGraph/texts`` holds the segments of a path without parameters, as links print them, each after its
    /// slash.
    var segments: Range<Int> { Int(jsonEnd)..<Int(segmentsEnd) }
}
