/// The steps of a resolution, for links and for the catalog's own gates.
struct Resolver {
    /// The maximum number of occurrences of one route in a stack.
    static let maximumRouteCount = 64

    let catalog: RouteCatalog

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    var graph: CatalogGraph { catalog.graph }

    // MARK: Starting point

    /// Resolves all references of a request.
    func startingPoint(of request: ResolutionRequest) throws(ResolutionError) -> StartingPoint {
        let isFresh = request.current == nil && request.mode == .replace
        let (currentStack, currentBase) = isFresh ? (nil, nil) : try shown(request.current, for: request.mode)
        let current = request.mode == .append ? currentStack?.elements ?? [] : []
        let shown: ShownStack? =
            switch request.transitionStart {
            case .current: currentStack
            case .shown(let stack): try self.shown(stack, for: .replace).stack
            }
        if request.link.isRelative, request.mode == .append, !catalog.origins.isEmpty {
            return StartingPoint(
                mode: request.mode,
                path: RoutedPath(link: request.link, start: request.link.spans.path.start),
                current: current,
                shown: shown,
                base: currentBase ?? LinkPrefix(origin: 0)
            )
        }
        let link = request.target?.link ?? request.link
        guard let (origin, start) = catalog.origin(of: link) else { throw foreign(link) }
        let path: RoutedPath
        do throws(LinkSyntaxError) {
            path = try catalog.routedPath(of: link, origin, from: start, within: offsets(of: request))
        } catch {
            throw .malformedLink(error)
        }
        return StartingPoint(
            mode: request.mode,
            path: path,
            current: current,
            shown: shown,
            base: LinkPrefix(origin: origin, link: link)
        )
    }

    /// Returns the failure of a link outside the origins with routes.
    func foreign(_ link: DeepLink) -> ResolutionError {
        catalog.shortLinkPlace(in: link) == nil
            ? .unknownOrigin(hint: OriginAdvice.hint(for: link, in: catalog)) : .unknownShortLink
    }

    /// Returns the offsets of the target's bytes in a short link, all at the code, or `nil` for any other link.
    private func offsets(of request: ResolutionRequest) -> LinkOffsets? {
        guard let target = request.target else { return nil }
        let code = catalog.shortLinkPlace(in: request.link)?.range ?? request.link.spans.path
        return LinkOffsets(code: code, of: target.link)
    }

    /// Returns the node from which a path continues.
    func node(after current: [StackElement]) -> Int {
        current.last.map { graph.packed[$0.edge].child } ?? graph.entryNode
    }

    // MARK: The stack

    /// Returns the stack of a path, for any user, which may continue a current stack.
    ///
    /// A redirecting link is replaced by the link in its query, after `count` earlier redirects.
    func stack(
        of path: RoutedPath,
        from current: [StackElement] = [],
        after count: Int = 0
    ) throws(StackSearchError) -> ResolvedLink {
        if path.link.bytes.isEmpty || (!current.isEmpty && path.isEmpty) {
            return ResolvedLink(stack: current, currentCount: current.count, unusedQuery: [])
        }
        var matcher = PathMatcher()
        guard matcher.match(path.link, from: path.start, at: node(after: current), in: catalog) else {
            throw .unmatched(matcher.failure ?? MatchError(rejection: nil, steps: ShortList()))
        }
        let steps = matcher.steps
        let resolved = try build(path, from: current) { builder throws(ResolutionError) in
            try builder.build(steps, in: catalog)
        }
        guard catalog.hasRedirects, let top = resolved.added.last, graph.packed[top.edge].isRedirect else {
            return resolved
        }
        return try follow(resolved, of: path, from: current, after: count)
    }

    /// Builds a stack and checks its depth.
    func build(
        _ path: RoutedPath,
        from current: [StackElement],
        body: (inout StackBuilder) throws(ResolutionError) -> Void
    ) throws(StackSearchError) -> ResolvedLink {
        var builder = StackBuilder(path.link, from: current, in: catalog)
        do throws(ResolutionError) {
            try body(&builder)
        } catch {
            throw .failure(error)
        }
        let stack = builder.stack
        guard !isTooDeep(stack) else {
            throw .failure(.tooDeep(limit: Self.maximumRouteCount))
        }
        let resolved = ResolvedLink(stack: stack, currentCount: current.count, unusedQuery: builder.unusedQuery)
        return catalog.hasSignedRoutes ? withoutSignature(resolved) : resolved
    }

    func isTooDeep(_ stack: [StackElement]) -> Bool {
        guard stack.count > Self.maximumRouteCount else { return false }
        var counts: [Int: Int] = [:]
        for element in stack { counts[graph.packed[element.edge].child, default: 0] += 1 }
        return counts.values.contains { $0 > Self.maximumRouteCount }
    }
}

/// The text to match, and the point in the catalog to match it from.
struct StartingPoint {
    /// Whether the path begins at `entry` or at the top of the current stack.
    let mode: ResolutionRequest.Mode

    /// The part of the link that routes are matched against.
    let path: RoutedPath

    /// The stack that the path continues, empty if it begins at `entry`.
    let current: [StackElement]

    /// The client's current stack, if the request has one.
    let shown: ShownStack?

    /// The prefix with which the resulting stack is printed.
    let base: LinkPrefix
}

extension StartingPoint {
    /// Returns the starting point for the link in this one's query.
    func following(_ redirect: Redirect) -> StartingPoint {
        StartingPoint(mode: mode, path: redirect.path, current: current, shown: shown, base: redirect.base)
    }
}

/// The meaning of a link before its requirements are checked.
struct ResolvedLink {
    let stack: [StackElement]

    /// The number of destinations before the link's own.
    ///
    /// Their levels do not count.
    let currentCount: Int

    var unusedQuery: [QueryItem]

    /// The decoded segments that no route matched.
    var unresolved: [String] = []

    /// The redirect to the link in the query, if there was one.
    var redirect: Redirect?

    /// The destinations that the link adds.
    var added: ArraySlice<StackElement> { stack[currentCount...] }

    /// The destinations with requirements that count: of the redirecting links, and of the link itself.
    var counted: [StackElement] { (redirect?.all.flatMap { $0.passed } ?? []) + added }
}

extension Resolver {
    /// Returns the level that some destinations require together.
    private func requiredLevel(of stack: some Sequence<StackElement>) -> AuthorizationLevel {
        var level = AuthorizationLevel.lowest
        for element in stack { level = max(level, graph.packed[element.edge].authorizationLevel) }
        return level
    }

    /// Returns the level that a link requires, for the destinations of the link and of its redirects.
    @inline(__always)
    private func requiredLevel(of resolved: ResolvedLink) -> AuthorizationLevel {
        let level = requiredLevel(of: resolved.added)
        guard let redirect = resolved.redirect else { return level }
        return redirect.all.reduce(level) { max($0, self.requiredLevel(of: $1.passed)) }
    }

    /// Returns the grants that a link requires, for the destinations of the link and of its redirects.
    private func requiredGrants(of resolved: ResolvedLink) -> GrantSet {
        var grants = GrantSet()
        for element in resolved.added { grants.formUnion(graph.packed[element.edge].grants) }
        for redirect in resolved.redirect?.all ?? [] {
            for element in redirect.passed { grants.formUnion(graph.packed[element.edge].grants) }
        }
        return grants
    }

    /// Returns the level and the grants that a link requires, for the destinations of the link and of its redirects.
    @inline(__always)
    func requirement(of resolved: ResolvedLink) -> Requirement {
        let level = requiredLevel(of: resolved)
        return Requirement(level: level, grants: catalog.asksForGrants ? requiredGrants(of: resolved) : [])
    }

    /// Returns the denial of a link that requires more than the user has.
    func denial(
        of resolved: ResolvedLink,
        requirement: Requirement,
        permissions: Permissions,
        app: AppVersion?,
        from start: StartingPoint
    ) -> Denial {
        let gate = catalog.gates.first { $0.gives.isMissing(in: permissions, for: requirement) }
        // Without a gate, a level counts first.
        let lacksGrant = gate.map { $0.gives.grant != nil } ?? (requirement.level <= permissions.level)
        let missing = lacksGrant ? requirement.grants.subtracting(permissions.grants) : []
        let edge = resolved.counted.lazy.map { graph.edges[$0.edge] }
            .first { edge in
                lacksGrant
                    ? !edge.requirements.grants.isDisjoint(with: missing)
                    : edge.authorizationLevel == requirement.level
            }
        return Denial(
            routeNumber: edge?.child,
            topRouteNumber: resolved.stack.last.map { graph.packed[$0.edge].child },
            requiredLevel: requirement.level,
            userLevel: permissions.level,
            missing: missing,
            gate: gate.map { gate in
                let over = gate.layer.isEmpty ? nil : stack(of: gate, over: start.shown)
                let stack = over ?? gate.stack
                let isShown = app.map { allows($0, in: over == nil ? stack : gate.layer) } ?? true
                return GateDirections(
                    gives: gate.gives,
                    link: canonicalLink(of: gate.stack, under: start.base)?.asText ?? gate.link,
                    stack: isShown ? graph.destinations(stack) : nil,
                    transition: isShown ? start.shown?.transition(to: stack, in: graph) : nil
                )
            },
            signature: demand(of: resolved, from: start),
            catalog: catalog
        )
    }

    /// Returns the stack of a gate over the app's current stack.
    ///
    /// - Returns: `nil` if the current stack is unknown, or the result would be too deep to be read again.
    private func stack(of gate: Gate, over shown: ShownStack?) -> [StackElement]? {
        guard let shown, let stack = graph.stack(presenting: gate.layer, over: shown.elements), !isTooDeep(stack)
        else { return nil }
        return stack
    }
}

extension Resolver {
    /// Builds the stack of a partial match.
    ///
    /// If nothing matches, this is the current stack or, from `entry`, the stack of the initial child.
    ///
    /// - Returns: `nil` if there is neither.
    func part(of start: StartingPoint, _ matched: ShortList<MatchStep>) throws(StackSearchError) -> ResolvedLink? {
        var steps = matched
        if steps.isEmpty, start.mode == .replace {
            guard let initial = catalog.automaton.entryInitial else { return nil }
            let position = start.path.start
            steps.append(MatchStep(chain: initial, start: position, end: position))
        }
        var part = try build(start.path, from: start.current) { builder throws(ResolutionError) in
            if !steps.isEmpty { try builder.buildPath(steps, in: catalog) }
        }
        part.unresolved = unmatchedSegments(of: start.path, after: steps)
        return part
    }

    /// Returns the full report of a link without a stack.
    func report(_ failure: StackSearchError, on start: StartingPoint) -> ResolutionError {
        switch failure {
        case .failure(let failure): failure.placed(by: start.path)
        case .behind(let redirect, _, let failure): report(failure, on: start.following(redirect))
        case .unmatched(let furthest): report(furthest, on: start)
        }
    }

    func report(_ furthest: MatchError, on start: StartingPoint) -> ResolutionError {
        let link = start.path.link
        if let capture = furthest.rejection?.capture, let segment = furthest.rejection?.segment,
            let misfit = capture.misfit(in: segment, of: link.bytes)
        {
            let edge = graph.edges[capture.edge]
            let parameter = edge.parameters[misfit.parameter]
            var range = segment
            var value = misfit.text
            if capture.isRest, capture.type.value(of: value) != nil {
                // Each segment fits, but there are too few or too many of them.
                let rest = link.segmentRanges(from: segment.start)
                let values = rest.map { ParameterValue.string(PercentEncoding.decode(link.bytes[$0.start..<$0.end])) }
                value = ParameterValue.list(values).text
                range = LinkRange(segment.start, rest.last?.end ?? segment.end)
            }
            return .invalidParameter(
                ParameterError(
                    route: graph.routes[edge.child].name,
                    parameter: parameter.name,
                    value: value,
                    isBare: false,
                    expected: parameter.type.expectation(insteadOf: value),
                    range: start.path.original(range)
                )
            )
        }
        var builder = StackBuilder(link, from: start.current, in: catalog)
        builder.buildPrefix(furthest.steps, in: catalog)
        return .noMatchingRoute(
            UnmatchedPath(
                matched: graph.destinations(furthest.steps.isEmpty ? start.current : builder.stack),
                unmatched: unmatchedSegments(of: start.path, after: furthest.steps),
                suggestions: furthest.rejection.map { suggestions(for: start, $0) } ?? [],
                missing: furthest.rejection.flatMap(missing)
            )
        )
    }

    /// Returns the value that a path lacks at its end, or `nil` if it lacks none.
    private func missing(at rejection: DeadEnd) -> String? {
        guard rejection.segment == nil, let capture = catalog.automaton.firstCapture(of: rejection.state),
            let parameter = capture.parameter ?? capture.compound?.parameters.first
        else { return nil }
        let edge = graph.edges[capture.edge]
        let (route, name) = (graph.routes[edge.child].name, edge.parameters[parameter].name)
        return "The path ends where `\(route)` needs a value for `\(name)`."
    }

    private func unmatchedSegments(of path: RoutedPath, after steps: ShortList<MatchStep>) -> [String] {
        path.link.segmentRanges(from: steps.last?.end ?? path.start)
            .map { PercentEncoding.decode(path.link.bytes[$0.start..<$0.end]) }
    }

    /// Replaces the segment that did not fit by the closest literals, and returns the links that resolve.
    private func suggestions(for start: StartingPoint, _ rejection: DeadEnd) -> [String] {
        guard let segment = rejection.segment else { return [] }
        let link = start.path.link
        let word = PercentEncoding.decode(link.bytes[segment.start..<segment.end])
        let near = SpellingSuggestion.ranked(sorted: catalog.automaton.literals(of: rejection.state), near: word)
            .prefix(3)
        return near.compactMap { literal in
            var whole = Array(link.bytes[..<segment.start])
            PercentEncoding.append(literal, keeping: .literal, to: &whole)
            let candidates = [whole + link.bytes[segment.end...], whole]
            return candidates.lazy.compactMap { canonicalLink(ofCorrected: $0, start) }.first
        }
    }

    private func canonicalLink(ofCorrected bytes: [UInt8], _ start: StartingPoint) -> String? {
        guard let link = try? DeepLink(reference: bytes, rootless: catalog.rootlessSchemes) else { return nil }
        let path: RoutedPath
        if link.isRelative {
            path = RoutedPath(link: link, start: start.path.start)
        } else {
            guard let (key, place) = catalog.origin(of: link),
                let routed = try? catalog.routedPath(of: link, key, from: place)
            else { return nil }
            path = routed
        }
        guard let resolved = try? stack(of: path, from: start.current) else { return nil }
        return canonicalLink(of: resolved.stack, under: start.base)?.asText
    }
}
