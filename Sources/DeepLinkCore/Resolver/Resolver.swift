/// Holds the steps of a resolution, for links and for the catalog's own gates.
struct Resolver {
    /// How often one route may stand in a stack.
    private static let maximumRouteCount = 64

    private let catalog: RouteCatalog
    private let graph: CatalogGraph

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        graph = catalog.graph
    }

    /// Finds the stack that a link stands for, whoever asks.
    func stack(of link: DeepLink) throws(ResolverFailure) -> ResolvedLink {
        guard catalog.origins.contains(where: { $0.includes(link) }) else {
            throw .failure(.unknownOrigin)
        }
        var matcher = PathMatcher(link, in: catalog, observer: UnobservedMatch())
        guard matcher.match() else { throw .unmatched }
        var builder = StackBuilder(link, in: catalog)
        do throws(StackFailure) {
            try builder.build(matcher.steps)
        } catch {
            switch error {
            case .invalidParameter(let parameter): throw .failure(.invalidParameter(parameter))
            case .conflictingDestinations(let routes):
                throw .failure(.conflictingDestinations(routes))
            }
        }
        guard !isTooDeep(builder.stack) else {
            throw .failure(.tooDeep(limit: Self.maximumRouteCount))
        }
        return ResolvedLink(stack: builder.stack, unusedQuery: builder.unusedQuery)
    }

    private func isTooDeep(_ stack: [StackElement]) -> Bool {
        guard stack.count > Self.maximumRouteCount else { return false }
        var counts: [Int: Int] = [:]
        for element in stack { counts[graph.edges[element.edge].child, default: 0] += 1 }
        return counts.values.contains { $0 > Self.maximumRouteCount }
    }

    // MARK: Levels

    /// The highest level that a destination of the stack requires.
    func requiredLevel(of stack: [StackElement]) -> AuthorizationLevel {
        var required = AuthorizationLevel.none
        for element in stack { required = max(required, graph.edges[element.edge].authorizationLevel) }
        return required
    }

    func denial(
        of link: DeepLink,
        _ stack: [StackElement],
        required: AuthorizationLevel,
        userLevel: AuthorizationLevel
    ) -> Denial {
        let edge = stack.lazy.map { graph.edges[$0.edge] }.first { $0.authorizationLevel == required }
        let gate = catalog.gates.first { $0.level > userLevel }
        return Denial(
            route: edge.map { graph.routes[$0.child].name } ?? "",
            requiredLevel: required,
            userLevel: userLevel,
            gate: gate.map { gate in
                GateDirections(
                    level: gate.level,
                    link: canonicalLink(of: link, gate.stack) ?? gate.link,
                    stack: destinations(gate.stack)
                )
            }
        )
    }

    // MARK: Links

    /// Prints a stack as its one canonical link; `nil` where that link would mean another stack.
    func canonicalLink(of link: DeepLink, _ stack: [StackElement]) -> String? {
        let bytes = LinkPrinter.print(stack, scheme: link.scheme, host: link.host, in: graph)
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes == link.bytes { return text }
        guard let printed = try? DeepLink(bytes: bytes), let resolved = try? self.stack(of: printed),
            destinations(resolved.stack) == destinations(stack)
        else { return nil }
        return text
    }

    /// Turns edges and values into what clients see.
    func destinations(_ stack: [StackElement]) -> [Destination] {
        stack.map { element in
            let edge = graph.edges[element.edge]
            return Destination(
                route: graph.routes[edge.child].name,
                presentation: edge.presentation,
                parameters: element.arguments
            )
        }
    }

    // MARK: Failures

    /// Says why a link has no stack, in full.
    func report(_ failure: ResolverFailure, on link: DeepLink) -> LinkFailure {
        switch failure {
        case .failure(let failure): failure
        case .unmatched: furthestFailure(of: link)
        }
    }

    /// Matches again, this time watching, and reports the failure that got furthest.
    private func furthestFailure(of link: DeepLink) -> LinkFailure {
        var matcher = PathMatcher(link, in: catalog, observer: FurthestFailure())
        _ = matcher.match()
        let furthest = matcher.observer
        if let capture = furthest.rejection?.capture, let segment = furthest.rejection?.segment {
            let edge = graph.edges[capture.edge]
            let parameter = edge.parameters[capture.parameter]
            return .invalidParameter(
                InvalidParameter(
                    route: graph.routes[edge.child].name,
                    parameter: parameter.name,
                    value: PercentEncoding.decode(link.bytes[segment.start..<segment.end]),
                    expected: parameter.type.expectation,
                    offset: segment.start
                )
            )
        }
        var builder = StackBuilder(link, in: catalog)
        builder.buildPrefix(furthest.steps)
        let matchedEnd = furthest.steps.last?.end ?? link.spans.path.start
        return .noMatchingRoute(
            NoMatchingRoute(
                matched: destinations(builder.stack),
                unmatched: link.segmentRanges.filter { $0.start >= matchedEnd }
                    .map { PercentEncoding.decode(link.bytes[$0.start..<$0.end]) },
                suggestions: furthest.rejection.map { suggestions(for: link, $0) } ?? []
            )
        )
    }

    /// Replaces the segment that did not fit by the literals nearest to it, and keeps what then resolves.
    private func suggestions(for link: DeepLink, _ rejection: MatchRejection) -> [String] {
        guard let segment = rejection.segment else { return [] }
        let word = PercentEncoding.decode(link.bytes[segment.start..<segment.end])
        let near = Spelling.ranked(catalog.automaton.states[rejection.state].literals, near: word).prefix(3)
        return near.compactMap { literal in
            var whole = Array(link.bytes[..<segment.start])
            PercentEncoding.append(literal, to: &whole)
            let candidates = [whole + link.bytes[segment.end...], whole]
            return candidates.lazy
                .compactMap { bytes -> String? in
                    guard let candidate = try? DeepLink(bytes: bytes), let resolved = try? stack(of: candidate) else {
                        return nil
                    }
                    return canonicalLink(of: candidate, resolved.stack)
                }
                .first
        }
    }
}
