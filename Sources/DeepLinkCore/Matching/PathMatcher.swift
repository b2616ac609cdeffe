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
    private var failed: Set<Place> = []

    /// The accepted patterns, in the order of the path.
    private(set) var steps: [MatchStep] = []

    /// What was told of the candidates that failed.
    private(set) var observer: Observer

    init(_ link: DeepLink, in catalog: RouteCatalog, observer: Observer) {
        automaton = catalog.automaton
        graph = catalog.graph
        self.link = link
        self.observer = observer
    }

    /// Matches the whole path from `entry`.
    ///
    /// - Returns: whether it matches; then ``steps`` tells how.
    mutating func match() -> Bool {
        matchNode(graph.entryNode, from: link.spans.path.start)
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
            steps.append(MatchStep(chain: chain, start: position, end: position))
            return true
        }
        guard node == graph.entryNode else { return true }
        observer.rejected(MatchRejection(state: root, segment: nil, capture: nil), after: steps)
        return false
    }

    private mutating func matchState(_ state: Int, _ segment: LinkRange, patternStart: Int) -> Bool {
        let bytes = link.bytes[segment.start..<segment.end]
        if let next = automaton.literals.next(from: state, with: bytes),
            arrive(at: next, segment.end, patternStart: patternStart)
        {
            return true
        }
        for index in automaton.states[state].captures.indices {
            let capture = automaton.states[state].captures[index]
            guard capture.type.parse(DecodedBytes(bytes)) != nil else {
                observer.rejected(MatchRejection(state: state, segment: segment, capture: capture), after: steps)
                continue
            }
            if arrive(at: capture.next, segment.end, patternStart: patternStart) { return true }
        }
        observer.rejected(MatchRejection(state: state, segment: segment, capture: nil), after: steps)
        return false
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
        guard let chain, let last = automaton.chains[chain].last else { return false }
        steps.append(MatchStep(chain: chain, start: patternStart, end: position))
        if matchNode(graph.edges[last].child, from: position) { return true }
        steps.removeLast()
        return false
    }
}
