/// The answer to a link: the stack of destinations from root to top, and what it took to get there.
public struct RoutePlan: Sendable {
    /// The link as received.
    public let link: DeepLink

    /// The UTF-8 bytes of ``canonicalLink``.
    let canonicalLinkBytes: [UInt8]?

    /// The highest level that a destination of the stack requires.
    public let requiredLevel: AuthorizationLevel

    /// The level that the user has.
    public let userLevel: AuthorizationLevel

    /// The query pairs that no destination used, in the order of the link.
    public let unusedQuery: [QueryItem]

    /// The versions of the app that the stack takes, where the request names no app; else nothing.
    public let requiresApp: RequiredApps

    /// The decoded segments of the path that no route matched; only where the request accepts a part.
    public let unresolved: [String]

    /// The way from the client's current stack to this one; `nil` where the request names none.
    public let transition: Transition?

    /// The catalog that the answer comes from.
    public let catalog: RouteCatalog

    /// Whether an origin routes the fragment of the link.
    let routesFragment: Bool

    /// The fragments that no origin routes of the links on the way to the one that answers; `nil` where it is this one.
    let passedFragments: [String]?

    /// The destinations, root first, as edges of the catalog.
    let elements: [StackElement]

    /// The one spelling of the link that all equivalent links share; `nil` where the stack has no link.
    public var canonicalLink: String? { canonicalLinkBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether there may be a fragment that no origin routes.
    @inline(__always)
    var mayHaveUnusedFragment: Bool { link.spans.fragment != nil || passedFragments != nil }

    /// What the fragment says, as sent and without its number sign, where no origin routes it; `nil` for nothing.
    ///
    /// Those of several links that lead to each other stand one after another, with a number sign between them.
    public var unusedFragment: String? {
        if let passedFragments { return passedFragments.isEmpty ? nil : passedFragments.joined(separator: "#") }
        guard !routesFragment, let fragment = link.spans.fragment, !fragment.isEmpty else { return nil }
        return String(decoding: link.bytes[fragment.indices], as: UTF8.self)
    }

    /// The destinations, root first.
    ///
    /// - Complexity: O(*n*) in the destinations, which are put together at each call.
    public var stack: [Destination] { catalog.graph.destinations(elements) }

    /// The edge by which the destination on top is opened; `nil` for an empty stack.
    public var topEdge: Edge? { elements.last.map { catalog.graph.edges[$0.edge] } }
}

extension RoutePlan: Equatable {
    /// Compares what clients see: two plans may be equal although their catalogs differ in other places.
    public static func == (left: RoutePlan, right: RoutePlan) -> Bool {
        left.link == right.link && left.canonicalLinkBytes == right.canonicalLinkBytes
            && left.requiredLevel == right.requiredLevel && left.userLevel == right.userLevel
            && left.stack == right.stack && left.unusedFragment?.bytewise == right.unusedFragment?.bytewise
            && left.unusedQuery == right.unusedQuery && left.requiresApp == right.requiresApp
            && left.unresolved == right.unresolved && left.transition == right.transition
    }
}

extension RoutePlan {
    /// Whether some destination is only for links that are signed.
    package var isSigned: Bool {
        catalog.hasSignedRoutes && elements.contains { catalog.graph.packed[$0.edge].isSigned }
    }

    /// The name of the route on top, without putting the destinations together; `nil` for an empty stack.
    package var topRoute: String? {
        elements.last.map { catalog.graph.routes[catalog.graph.packed[$0.edge].child].name }
    }

    /// The edge by which the destination on top came: an index into ``RouteCatalog/edges``; `nil` for an empty stack.
    package var topEdgeNumber: Int? { elements.last?.edge.number }

    /// The edges by which the destinations came: indexes into ``RouteCatalog/edges``.
    package var edgeNumbers: [Int] { elements.map(\.edge.number) }

    /// All that tells the plan from others of its catalog but for the values: the edge of each destination, and which of its
    /// parameters have one.
    package var shape: [Int] {
        var shape: [Int] = []
        shape.reserveCapacity(2 * elements.count)
        for element in elements {
            shape.append(element.edge.number)
            guard catalog.graph.packed[element.edge].hasParameters else { continue }
            // Values stand in the order of the parameters.
            var next = 0
            for (place, parameter) in catalog.graph.edges[element.edge].parameters.enumerated()
            where next < element.arguments.count
                && element.arguments[next].name.bytewise == parameter.name.bytewise
            {
                // Below those of edges, so that one is never taken for the other.
                shape.append(-1 - place)
                next += 1
            }
        }
        return shape
    }
}
