/// The writer of an explanation's steps.
struct ExplanationWriter {
    /// The maximum number of literals that are listed if none of them fits.
    private static let maximumLiteralCount = 5

    /// The maximum amount of the link's text that the steps may repeat, in bytes.
    ///
    /// Further text is only counted.
    private static let maximumTextCount = 65_536

    private var path: RoutedPath

    /// The amount of the link's text that the steps repeat so far, in bytes.
    private var textCount = 0
    private let graph: CatalogGraph
    private let automaton: MatchingAutomaton
    private let levels: LevelLadder
    private let grants: GrantList
    private let apps: Apps

    /// The route from which the path continues.
    private var origin = ""

    private(set) var steps: [ExplanationStep] = []

    init(_ path: RoutedPath, catalog: RouteCatalog) {
        self.path = path
        graph = catalog.graph
        automaton = catalog.automaton
        levels = catalog.levels
        grants = catalog.grants
        apps = catalog.apps
    }

    private var link: DeepLink { path.link }

    // MARK: Matching

    /// Adds the step for a redirect to the link in the query, and continues with that link.
    mutating func follow(_ redirect: Redirect) {
        let route = redirect.passed.last.map { routeName($0.edge) }
        let key = redirect.passed.last.flatMap { graph.edges[$0.edge].linkParameter?.key } ?? ""
        let text = redirect.path.source.text
        steps.append(
            ExplanationStep(
                .opened,
                route: route,
                segment: text,
                at: redirect.path.original(LinkRange(redirect.path.start, redirect.path.link.bytes.count)),
                reason: "The link in `\(key)` is resolved in its place."
            )
        )
        textCount += 2 * text.utf8.count
        path = redirect.path
    }

    /// Adds the step for a code and the target that is resolved in its place.
    mutating func follow(_ target: LinkTarget, of link: DeepLink) {
        let place = path.original(LinkRange(0, 0)).start
        let text = target.link.text
        steps.append(
            ExplanationStep(
                .opened,
                segment: text,
                at: LinkRange(place, max(place, link.spans.path.end)),
                reason: "The code is that of a short link; its target is resolved in its place."
            )
        )
        textCount += 2 * text.utf8.count
    }

    /// Adds the step for a fragment that no origin routes.
    mutating func appendUnusedFragment() {
        guard let fragment = path.unusedFragment else { return }
        // An assembled reference doesn't include the fragment.
        let place = path.offsets == nil ? path.source.spans.fragment ?? LinkRange(0, 0) : nil
        steps.append(
            ExplanationStep(
                .rejected,
                segment: fragment,
                at: place,
                reason: "No origin routes the fragment `\(fragment)`; it is not used."
            )
        )
    }

    /// Adds the matcher's steps from a node on.
    mutating func append(_ recorder: MatchRecorder, from node: Int) {
        origin = graph.name(node)
        var omittedCount = recorder.omittedCount
        for event in recorder.events {
            guard textCount <= Self.maximumTextCount else {
                omittedCount += 1
                continue
            }
            defer { textCount += 2 * (steps.last?.segment?.utf8.count ?? 0) }
            switch event {
            case .accepted(let step): appendAccepted(step)
            case .abandoned(let step): appendAbandoned(step, reason: "Nothing that it opens fits the rest of the path.")
            case .outranked(let step):
                appendAbandoned(step, reason: "It fits, but a more specific way through the path does, too.")
            case .rejected(let rejection, let step): append(rejection, after: step)
            }
        }
        guard omittedCount > 0 else { return }
        steps.append(ExplanationStep(.rejected, reason: "\(omittedCount) further steps are not listed."))
    }

    private mutating func appendAccepted(_ step: MatchStep) {
        let chain = automaton.chains[step.chain]
        for (place, index) in chain.edges.enumerated() {
            let isLast = place == chain.edges.count - 1
            let expansion = isLast ? chain.expansion : graph.edges[index].emptyExpansion
            let segment = isLast && step.end > step.start ? text(from: step.start, to: step.end) : nil
            steps.append(
                ExplanationStep(
                    .matched,
                    route: routeName(index),
                    pattern: pattern(index, expansion: expansion),
                    segment: segment,
                    at: segment.map { _ in path.original(range(from: step.start, to: step.end)) },
                    reason: segment.map { "`\($0)` fits the pattern." }
                        ?? (expansion == nil ? "It answers a link without a path." : "It takes no segment.")
                )
            )
        }
    }

    private mutating func appendAbandoned(_ step: MatchStep, reason: String) {
        let chain = automaton.chains[step.chain]
        guard let last = chain.edges.last else { return }
        steps.append(
            ExplanationStep(
                .abandoned,
                route: routeName(last),
                pattern: pattern(last, expansion: chain.expansion),
                segment: text(from: step.start, to: step.end),
                at: link.nextSegment(from: step.start)
                    .map { _ in path.original(range(from: step.start, to: step.end)) },
                reason: reason
            )
        )
    }

    private mutating func append(_ rejection: DeadEnd, after step: MatchStep?) {
        let parent =
            step.flatMap { automaton.chains[$0.chain].edges.last }.map(routeName) ?? origin
        guard let segment = rejection.segment else {
            steps.append(
                ExplanationStep(
                    .rejected,
                    at: path.original(LinkRange(link.spans.path.end, link.spans.path.end)),
                    reason: pathEnd(rejection.state, parent: parent)
                )
            )
            return
        }
        let text = PercentEncoding.decode(link.bytes[segment.start..<segment.end])
        let offset = path.original(segment.start)
        if let capture = rejection.capture, let misfit = capture.misfit(in: segment, of: link.bytes) {
            let parameter = graph.edges[capture.edge].parameters[misfit.parameter]
            let expected = parameter.type.expectation
            steps.append(
                ExplanationStep(
                    .rejected,
                    route: routeName(capture.edge),
                    pattern: pattern(capture.edge, expansion: capture.expansion),
                    segment: misfit.text,
                    parameter: parameter.name,
                    expected: expected,
                    at: path.original(segment),
                    reason: "`\(misfit.text)` does not fit the parameter `\(parameter.name)`; expected \(expected)."
                )
            )
        } else if let capture = rejection.capture {
            let expected = capture.compound?.expectation ?? "text"
            steps.append(
                ExplanationStep(
                    .rejected,
                    route: routeName(capture.edge),
                    pattern: pattern(capture.edge, expansion: capture.expansion),
                    segment: text,
                    expected: expected,
                    at: path.original(segment),
                    reason: "`\(text)` does not fit the pattern; expected \(expected)."
                )
            )
        } else if !automaton.literals(of: rejection.state).isEmpty || steps.last?.offset != offset {
            steps.append(
                ExplanationStep(
                    .rejected,
                    segment: text,
                    at: path.original(segment),
                    reason: deadEnd(text, state: rejection.state, parent: parent)
                )
            )
        }
    }

    private func pathEnd(_ state: StateIndex, parent: String) -> String {
        guard let capture = automaton.firstCapture(of: state) else {
            return "The path ends here, and no route matches that after `\(parent)`."
        }
        let parameters = graph.edges[capture.edge].parameters
        let parameter = (capture.parameter ?? capture.compound?.parameters.first).map { parameters[$0].name } ?? "_"
        return "The path ends, and `\(routeName(capture.edge))` needs a segment for `\(parameter)`."
    }

    private func deadEnd(_ text: String, state: StateIndex, parent: String) -> String {
        let literals = automaton.literals(of: state)
        guard automaton.states[state].hasChildren else {
            return "`\(parent)` opens nothing that continues with `\(text)`."
        }
        let words = literals.prefix(Self.maximumLiteralCount).map { "`\($0)`" }
        guard !words.isEmpty else { return "Nothing else after `\(parent)` fits `\(text)`." }
        let more = literals.count > words.count ? " and \(literals.count - words.count) more" : ""
        let others = automaton.states[state].captures.isEmpty ? "" : ", and nothing else fits"
        return "After `\(parent)`, `\(text)` is none of \(words.joined(separator: ", "))\(more)\(others)."
    }

    // MARK: The stack

    /// Adds the steps for destinations besides the matched path, for a destination that the app does not have, for
    /// destinations that it is too old for, and for the levels and grants that the user lacks.
    mutating func append(
        _ resolution: Resolution,
        of resolved: ResolvedLink,
        permissions: Permissions,
        app: AppVersion?
    ) {
        for element in resolved.added {
            let edge = graph.edges[element.edge]
            switch element.origin {
            case .path, .current: continue
            case .initial:
                let reason = "It is the initial child of `\(graph.name(edge.parent))`."
                steps.append(ExplanationStep(.inserted, route: routeName(element.edge), reason: reason))
            case .query:
                let reason = "The query key `\(edge.queryKey ?? "")` opens it."
                steps.append(ExplanationStep(.opened, route: routeName(element.edge), reason: reason))
            }
        }
        if case .otherApp(let denial) = resolution {
            let reason = "It is in the app `\(denial.owner)`; it is asked for `\(denial.app.text)`."
            steps.append(ExplanationStep(.denied, route: denial.route, reason: reason))
        }
        if let app { for element in resolved.counted { appendDenial(element, version: app) } }
        for element in resolved.counted { appendDenial(element, permissions: permissions) }
    }

    /// Adds the step for a destination that the app is too old for.
    private mutating func appendDenial(_ element: StackElement, version: AppVersion) {
        let since = graph.edges[element.edge].requirements.since
        guard let required = since[version.platform, of: apps.index(of: version)],
            let number = version.number, number < required
        else { return }
        steps.append(
            ExplanationStep(
                .denied,
                route: routeName(element.edge),
                reason: "It takes the app from `\(version.textWithoutNumber)/\(required.text)` on; "
                    + "it is asked for `\(version.text)`."
            )
        )
    }

    /// Adds the steps for the level and the grants that the user lacks for a destination.
    private mutating func appendDenial(_ element: StackElement, permissions: Permissions) {
        let required = graph.edges[element.edge].requirements.access
        if required.level > permissions.level {
            let (name, own) = (levels.text(of: required.level), levels.text(of: permissions.level))
            steps.append(
                ExplanationStep(
                    .denied,
                    route: routeName(element.edge),
                    requiredLevel: name,
                    reason: "It requires `\(name)`; the user has `\(own)`."
                )
            )
        }
        let missing = grants.texts(of: required.grants.subtracting(permissions.grants))
        guard !missing.isEmpty else { return }
        let names = missing.map { "`\($0)`" }.joined(separator: ", ")
        steps.append(
            ExplanationStep(
                .denied,
                route: routeName(element.edge),
                missing: missing,
                reason: "It requires \(missing.count == 1 ? "the grant" : "the grants") \(names), which the user lacks."
            )
        )
    }

    /// Adds the step for a failure after matching.
    mutating func append(_ failure: ResolutionError) {
        switch failure {
        case .noMatchingRoute: return
        case .unknownOrigin, .unknownShortLink, .invalidCurrentStack, .conflictingDestinations, .tooDeep,
            .malformedLink,
            .tooManyLinks:
            steps.append(ExplanationStep(.rejected, reason: failure.message))
        case .invalidParameter(let invalid):
            let isTold = steps.contains { step in
                step.outcome == .rejected && step.offset == invalid.offset && step.parameter == invalid.parameter
            }
            guard !isTold else { return }
            steps.append(
                ExplanationStep(
                    .rejected,
                    route: invalid.route,
                    segment: invalid.value,
                    parameter: invalid.parameter,
                    expected: invalid.expected,
                    at: invalid.range,
                    reason: failure.message
                )
            )
        }
    }

    // MARK: Words

    private func routeName(_ edge: EdgeIndex) -> String { graph.routes[graph.edges[edge].child].name }

    private func pattern(_ index: EdgeIndex, expansion: Int?) -> String? {
        guard let expansion else { return nil }
        let edge = graph.edges[index]
        return edge.patterns[edge.expansions[expansion].pattern].text
    }

    private func text(from start: Int, to end: Int) -> String {
        PercentEncoding.decode(link.bytes[range(from: start, to: end).indices])
    }

    /// Returns the byte range of some segments, without the slash before them.
    private func range(from start: Int, to end: Int) -> LinkRange {
        let first = link.nextSegment(from: start)?.start ?? start
        return LinkRange(first, max(first, end))
    }
}
