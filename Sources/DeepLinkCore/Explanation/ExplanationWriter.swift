/// What the engine did, put into words.
struct ExplanationWriter {
    /// The most literals that are listed where none of them fits.
    private static let maximumLiteralCount = 5

    /// The most text of the link that the steps may repeat, in bytes; those after it are only counted.
    private static let maximumTextCount = 65_536

    private let link: DeepLink

    /// The text of the link that the steps so far repeat, in bytes.
    private var textCount = 0
    private let graph: CatalogGraph
    private let automaton: MatchingAutomaton

    /// The route from which the path continues.
    private var origin = ""

    private(set) var steps: [ExplanationStep] = []

    init(_ link: DeepLink, _ catalog: RouteCatalog) {
        self.link = link
        graph = catalog.graph
        automaton = catalog.automaton
    }

    // MARK: Matching

    /// Tells what the matcher tried from a node on.
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
            case .abandoned(let step): appendAbandoned(step, "Nothing that it opens fits the rest of the path.")
            case .outranked(let step):
                appendAbandoned(step, "It fits, but a more specific way through the path does, too.")
            case .rejected(let rejection, let step): append(rejection, after: step)
            }
        }
        guard omittedCount > 0 else { return }
        steps.append(ExplanationStep(.rejected, "\(omittedCount) further steps are not listed."))
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
                    pattern: pattern(index, expansion),
                    segment: segment,
                    at: segment.map { _ in range(from: step.start, to: step.end) },
                    segment.map { "`\($0)` fits the pattern." }
                        ?? (expansion == nil ? "It answers a link without a path." : "It takes no segment.")
                )
            )
        }
    }

    private mutating func appendAbandoned(_ step: MatchStep, _ reason: String) {
        let chain = automaton.chains[step.chain]
        guard let last = chain.edges.last else { return }
        steps.append(
            ExplanationStep(
                .abandoned,
                route: routeName(last),
                pattern: pattern(last, chain.expansion),
                segment: text(from: step.start, to: step.end),
                at: link.nextSegment(from: step.start).map { _ in range(from: step.start, to: step.end) },
                reason
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
                    at: LinkRange(link.spans.path.end, link.spans.path.end),
                    pathEnd(rejection.state, parent)
                )
            )
            return
        }
        let text = PercentEncoding.decode(link.bytes[segment.start..<segment.end])
        if let capture = rejection.capture {
            let parameter = graph.edges[capture.edge].parameters[capture.parameter]
            let expected = parameter.type.expectation
            steps.append(
                ExplanationStep(
                    .rejected,
                    route: routeName(capture.edge),
                    pattern: pattern(capture.edge, capture.expansion),
                    segment: text,
                    parameter: parameter.name,
                    expected: expected,
                    at: segment,
                    "`\(text)` does not fit the parameter `\(parameter.name)`; expected \(expected)."
                )
            )
        } else if !automaton.literals(of: rejection.state).isEmpty || steps.last?.offset != segment.start {
            steps.append(
                ExplanationStep(
                    .rejected,
                    segment: text,
                    at: segment,
                    deadEnd(text, rejection.state, parent)
                )
            )
        }
    }

    private func pathEnd(_ state: StateIndex, _ parent: String) -> String {
        guard let capture = automaton.firstCapture(of: state) else {
            return "The path ends here, and nothing answers it after `\(parent)`."
        }
        let parameter = graph.edges[capture.edge].parameters[capture.parameter].name
        return "The path ends, and `\(routeName(capture.edge))` needs a segment for `\(parameter)`."
    }

    private func deadEnd(_ text: String, _ state: StateIndex, _ parent: String) -> String {
        let literals = automaton.literals(of: state)
        guard automaton.states[state].hasChildren else {
            return "`\(parent)` opens nothing that goes on with `\(text)`."
        }
        let words = literals.prefix(Self.maximumLiteralCount).map { "`\($0)`" }
        guard !words.isEmpty else { return "Nothing else after `\(parent)` fits `\(text)`." }
        let more = literals.count > words.count ? " and \(literals.count - words.count) more" : ""
        let others = automaton.states[state].captures.isEmpty ? "" : ", and nothing else fits"
        return "After `\(parent)`, `\(text)` is none of \(words.joined(separator: ", "))\(more)\(others)."
    }

    // MARK: The stack

    /// Tells what was added to the matched path, and which levels the user lacks.
    mutating func append(_ resolved: ResolvedLink, userLevel: AuthorizationLevel) {
        for element in resolved.added {
            let edge = graph.edges[element.edge]
            switch element.origin {
            case .path, .current: continue
            case .initial:
                let reason = "It is the initial child of `\(graph.name(edge.parent))`."
                steps.append(ExplanationStep(.inserted, route: routeName(element.edge), reason))
            case .query:
                let reason = "The query key `\(edge.queryKey ?? "")` opens it."
                steps.append(ExplanationStep(.opened, route: routeName(element.edge), reason))
            }
        }
        for element in resolved.added {
            let level = graph.edges[element.edge].authorizationLevel
            guard level > userLevel else { continue }
            steps.append(
                ExplanationStep(
                    .denied,
                    route: routeName(element.edge),
                    requiredLevel: level,
                    "It requires `\(level.name)`; the user has `\(userLevel.name)`."
                )
            )
        }
    }

    /// Tells of a failure that the matcher knows nothing of.
    mutating func append(_ failure: ResolutionError) {
        switch failure {
        case .noMatchingRoute: return
        case .unknownOrigin, .invalidCurrentStack, .conflictingDestinations, .tooDeep:
            steps.append(ExplanationStep(.rejected, failure.message))
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
                    failure.message
                )
            )
        }
    }

    // MARK: Words

    private func routeName(_ edge: EdgeIndex) -> String { graph.routes[graph.edges[edge].child].name }

    private func pattern(_ index: EdgeIndex, _ expansion: Int?) -> String? {
        guard let expansion else { return nil }
        let edge = graph.edges[index]
        return edge.patterns[edge.expansions[expansion].pattern].text
    }

    private func text(from start: Int, to end: Int) -> String {
        PercentEncoding.decode(link.bytes[range(from: start, to: end).indices])
    }

    /// The bytes of some segments, without the slash before them.
    private func range(from start: Int, to end: Int) -> LinkRange {
        let first = link.nextSegment(from: start)?.start ?? start
        return LinkRange(first, max(first, end))
    }
}
