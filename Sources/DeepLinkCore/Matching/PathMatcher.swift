/// Finds the edges that a link's path stands for: full backtracking, most specific candidate first.
///
/// A pair of node and position that has failed once is remembered, so the cost is linear in segments times
/// candidates tried, whatever the catalog. Nothing is allocated but the steps, unless a candidate fails.
struct PathMatcher<Observer: MatchObserver> {
    private struct Place: Hashable {
        let node: Int
        let position: Int
    }

    private let automaton: MatchingAutomaton
    private let graph: CatalogGraph
    private let link: DeepLink
    private let start: Int
    private var failed: Set<Place> = []

    /// The accepted patterns, in the order of the path.
    private(set) var steps: [MatchStep] = []

    /// What was told of the candidates that failed.
    private(set) var observer: Observer

    init(_ path: RoutedPath, in catalog: RouteCatalog, observer: Observer) {
        automaton = catalog.automaton
        graph = catalog.graph
        link = path.link
        start = path.start
        self.observer = observer
    }

    /// Matches the whole path from a node on.
    ///
    /// - Returns: whether it matches; then ``steps`` tells how.
    mutating func match(from node: Int) -> Bool {
        matchNode(node, from: start)
    }

    private mutating func matchNode(_ node: Int, from position: Int) -> Bool {
        let root = automaton.roots[node]
        guard let segment = link.nextSegment(from: position) else { return endPath(at: node, root, position) }
        if !failed.isEmpty, failed.contains(Place(node: node, position: position)) { return false }
        if matchState(root, segment, patternStart: position) { return true }
        failed.insert(Place(node: node, position: position))
        return false
    }

    /// Ends the path at a node: on a child that takes no segment and opens nothing, else on the node itself.
    private mutating func endPath(at node: Int, _ root: Int, _ position: Int) -> Bool {
        let chain = automaton.states[root].chain ?? (node == graph.entryNode ? automaton.entryInitial : nil)
        if let chain {
            let step = MatchStep(chain: chain, start: position, end: position)
            observer.accepted(step)
            steps.append(step)
            return true
        }
        guard node == graph.entryNode else { return true }
        observer.rejected(MatchRejection(state: root, segment: nil, capture: nil), after: steps)
        return false
    }

    private mutating func matchState(_ state: Int, _ segment: LinkRange, patternStart: Int) -> Bool {
        let bytes = link.bytes[segment.start..<segment.end]
        // Where a candidate fails further on, the failure is told there.
        var isDeadEnd = true
        if let next = automaton.literals.next(from: state, with: bytes) {
            if arrive(at: next, segment.end, patternStart: patternStart) { return true }
            isDeadEnd = false
        }
        for index in automaton.states[state].captures.indices {
            let capture = automaton.states[state].captures[index]
            if let misfit = misfit(for: capture, segment) {
                observer.rejected(MatchRejection(state: state, segment: misfit, capture: capture), after: steps)
                continue
            }
            isDeadEnd = false
            if !capture.predecessors.isEmpty, last(of: capture.predecessors, in: state, fitting: segment) != nil {
                continue
            }
            if take(capture, segment, patternStart: patternStart) { return true }
            for later in capture.successors {
                let waiting = automaton.states[state].captures[later]
                if misfit(for: waiting, segment) == nil,
                    last(of: waiting.predecessors, in: state, fitting: segment) == index,
                    take(waiting, segment, patternStart: patternStart)
                {
                    return true
                }
            }
        }
        if isDeadEnd {
            observer.rejected(MatchRejection(state: state, segment: segment, capture: nil), after: steps)
        }
        return false
    }

    private mutating func take(
        _ capture: MatchingAutomaton.Capture,
        _ segment: LinkRange,
        patternStart: Int
    ) -> Bool {
        arrive(
            at: capture.next,
            capture.isRest ? link.spans.path.end : segment.end,
            patternStart: patternStart
        )
    }

    /// Finds the last of some parameters that accepts a segment.
    private func last(of captures: [Int], in state: Int, fitting segment: LinkRange) -> Int? {
        captures.last { misfit(for: automaton.states[state].captures[$0], segment) == nil }
    }

    /// Finds the first segment that a parameter does not accept, of the one or all that it reads.
    ///
    /// A rest whose number of segments is out of bounds does not fit from its first segment on.
    @inline(__always)
    private func misfit(for capture: MatchingAutomaton.Capture, _ segment: LinkRange) -> LinkRange? {
        guard capture.type.parse(DecodedBytes(link.bytes[segment.start..<segment.end])) != nil else { return segment }
        return capture.isRest ? misfit(forRest: capture, from: segment) : nil
    }

    private func misfit(forRest capture: MatchingAutomaton.Capture, from first: LinkRange) -> LinkRange? {
        var count = 1
        var last = first
        while let segment = link.nextSegment(from: last.end) {
            guard capture.type.parse(DecodedBytes(link.bytes[segment.start..<segment.end])) != nil else {
                return segment
            }
            count += 1
            last = segment
        }
        return graph.edges[capture.edge].parameters[capture.parameter].type.accepts(count: count) ? nil : first
    }

    /// Goes on from a state after a segment: deeper into its patterns first, then through the one that ends here.
    private mutating func arrive(at state: Int, _ position: Int, patternStart: Int) -> Bool {
        let chain = automaton.states[state].chain
        if automaton.states[state].hasChildren {
            if let segment = link.nextSegment(from: position) {
                if matchState(state, segment, patternStart: patternStart) { return true }
            } else if chain == nil {
                observer.rejected(MatchRejection(state: state, segment: nil, capture: nil), after: steps)
                return false
            }
        }
        guard let chain, let last = automaton.chains[chain].edges.last else { return false }
        let step = MatchStep(chain: chain, start: patternStart, end: position)
        observer.accepted(step)
        steps.append(step)
        if matchNode(graph.edges[last].child, from: position) { return true }
        steps.removeLast()
        observer.abandoned(step)
        return false
    }
}
