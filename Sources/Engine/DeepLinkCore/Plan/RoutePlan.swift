/// The answer to a link: the stack of destinations from root to top, and its requirements.
package struct RoutePlan: Sendable {
    /// The link as received.
    package let link: DeepLink

    /// The UTF-8 bytes of ``canonicalLink``.
    let canonicalLinkBytes: [UInt8]?

    /// The highest level that a destination of the stack requires.
    package let requiredLevel: AuthorizationLevel

    /// The grants that the destinations of the stack require.
    package let requiredGrants: GrantSet

    /// The level that the user has.
    package let userLevel: AuthorizationLevel

    /// The query pairs that no destination used, in the order of the link.
    package let unusedQuery: [QueryItem]

    /// The app versions that the stack requires, if the request names no app; otherwise none.
    package let requiresApp: RequiredApps

    /// The decoded segments of the path that no route matched; only if the request accepts a partial match.
    package let unresolved: [String]

    /// The transition from the client's current stack to this one; `nil` if the request has none.
    package let transition: Transition?

    /// The catalog that resolved the link.
    package let catalog: RouteCatalog

    /// Whether an origin routes the fragment of the link.
    let routesFragment: Bool

    /// The unrouted fragments of the links that redirected to the last one; `nil` if there was no redirect.
    let passedFragments: [String]?

    /// The destinations, root first, as edges of the catalog.
    let elements: [StackElement]

    /// The demand for a signature; `nil` for a link that needs none.
    package let signature: SignatureDemand?

    /// The one spelling of the link that all equivalent links share; `nil` if the stack has no link.
    package var canonicalLink: String? { canonicalLinkBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether there may be a fragment that no origin routes.
    @inline(__always)
    var mayHaveUnusedFragment: Bool { link.spans.fragment != nil || passedFragments != nil }

    /// The fragment's text, as sent and without its number sign, if no origin routes it; otherwise `nil`.
    ///
    /// Those of several links that redirect to each other are joined by number signs.
    package var unusedFragment: String? {
        if let passedFragments { return passedFragments.isEmpty ? nil : passedFragments.joined(separator: "#") }
        guard !routesFragment, let fragment = link.spans.fragment, !fragment.isEmpty else { return nil }
        return String(decoding: link.bytes[fragment.indices], as: UTF8.self)
    }

    /// The destinations, root first.
    ///
    /// - Complexity: O(*n*) in the destinations, which are computed at each call.
    package var stack: [Destination] { catalog.graph.destinations(elements) }

    /// The edge of the topmost destination; `nil` for an empty stack.
    package var topEdge: Edge? { elements.last.map { catalog.graph.edges[$0.edge] } }
}

extension RoutePlan: Equatable {
    /// Compares the parts that clients see: two plans may be equal although their catalogs differ elsewhere.
    package static func == (left: RoutePlan, right: RoutePlan) -> Bool {
        left.link == right.link && left.canonicalLinkBytes == right.canonicalLinkBytes
            && left.requiredLevel == right.requiredLevel && left.requiredGrants == right.requiredGrants
            && left.userLevel == right.userLevel && left.stack == right.stack
            && left.unusedFragment?.bytewise == right.unusedFragment?.bytewise && left.unusedQuery == right.unusedQuery
            && left.requiresApp == right.requiresApp && left.unresolved == right.unresolved
            && left.transition == right.transition
    }
}

extension RoutePlan {
    /// Whether some destination requires a signed link.
    package var isSigned: Bool {
        catalog.hasSignedRoutes && elements.contains { catalog.graph.packed[$0.edge].isSigned }
    }

    /// The name of the topmost route, without computing the destinations; `nil` for an empty stack.
    package var topRoute: String? {
        elements.last.map { catalog.graph.routes[catalog.graph.packed[$0.edge].child].name }
    }

    /// The topmost route: an index into ``RouteCatalog/routes``; `nil` for an empty stack.
    package var topRouteNumber: Int? { elements.last.map { catalog.graph.packed[$0.edge].child } }

    /// The edge of the topmost destination: an index into ``RouteCatalog/edges``; `nil` for an empty stack.
    package var topEdgeNumber: Int? { elements.last.map { catalog.graph.declared($0.edge).number } }

    /// The edges of the destinations: indexes into ``RouteCatalog/edges``; for a gate over others, that of its link.
    package var edgeNumbers: [Int] { elements.map { catalog.graph.declared($0.edge).number } }

    /// The plan without its values: the edge of each destination, and those of its parameters that have a value.
    package var shape: [Int] {
        var shape: [Int] = []
        shape.reserveCapacity(2 * elements.count)
        for element in elements {
            shape.append(element.edge.number)
            guard catalog.graph.packed[element.edge].hasParameters else { continue }
            // Values are in the order of the parameters.
            var next = 0
            for (place, parameter) in catalog.graph.edges[element.edge].parameters.enumerated()
            where next < element.arguments.count
                && element.arguments[next].name.bytewise == parameter.name.bytewise
            {
                // Negative, so that it is never taken for an edge.
                shape.append(-1 - place)
                next += 1
            }
        }
        return shape
    }
}
