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
