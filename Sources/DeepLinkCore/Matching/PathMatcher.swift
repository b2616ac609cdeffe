/// Finds the edges that a link's path stands for: full backtracking, most specific candidate first.
///
/// A pair of node and position that has failed once is remembered, so the cost is linear in segments times
/// candidates tried, whatever the catalog. Nothing is allocated but the steps, unless a candidate fails.
struct PathMatcher<Observer: MatchObserver> {
    private struct Place: Hashable {
        let node: Int
        let position: Int
    }

    private var failed: Set<Place> = []

    /// The accepted patterns, in the order of the path.
    private(set) var steps = ShortList<MatchStep>()

    /// What was told of the candidates that failed.
    private(set) var observer: Observer

    init(observer: Observer) {
        self.observer = observer
    }

    /// Matches a link's path, from a place in it and a node on.
    ///
    /// - Returns: whether it matches; then ``steps`` tells how.
    mutating func match(_ link: DeepLink, from start: Int, at node: Int, in catalog: RouteCatalog) -> Bool {
        let path = link.pathBytes
        if !Observer.isWatching {
            if descend(path, from: start, at: node, catalog) { return true }
            steps = ShortList<MatchStep>()
        }
        return matchNode(node, from: start, path, catalog)
    }

    // The path and the catalog are handed on from call to call: fetching them from here would count references each time.

    // MARK: Without looking back

    /// Follows the first candidate at each place, which is all that most links take.
    ///
    /// - Returns: whether that led to the end. It is what the search would have found then, since that tries the same
    ///   candidates first; otherwise nothing is said.
    private mutating func descend(
        _ path: PathBytes,
        from start: Int,
        at node: Int,
        _ catalog: RouteCatalog
    ) -> Bool {
        let automaton = catalog.automaton
        var node = node
        var state = automaton.roots[node]
        var patternStart = start
        var next = path.nextSegment(from: start)
        while let segment = next {
            guard let following = Self.firstState(after: state, segment, path, automaton) else { return false }
            next = path.nextSegment(from: segment.end)
            if automaton.states[following].hasChildren, next != nil {
                state = following
                continue
            }
            guard let chain = automaton.states[following].chain else { return false }
            steps.append(MatchStep(chain: chain, start: patternStart, end: segment.end))
            node = automaton.chains[chain].node
            state = automaton.roots[node]
            patternStart = segment.end
        }
        return endPath(at: node, state, patternStart, catalog)
    }

    /// Finds the state that the most specific candidate leads to; `nil` where there is none, or no simple one.
    @inline(__always)
    private static func firstState(
        after state: Int,
        _ segment: LinkRange,
        _ path: PathBytes,
        _ automaton: MatchingAutomaton
    ) -> Int? {
        if let next = automaton.next(from: state, with: segment, of: path.bytes) { return next }
        let captures = automaton.states[state].captures
        var index = Int(captures.lowerBound)
        while index < Int(captures.upperBound) {
            if automaton.captures[index].accepts(segment, of: path.bytes) {
                return automaton.captures[index].isSimple ? automaton.captures[index].next : nil
            }
            index += 1
        }
        return nil
    }

    // MARK: The search

    private mutating func matchNode(
        _ node: Int,
        from position: Int,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> Bool {
        let root = catalog.automaton.roots[node]
        guard let segment = path.nextSegment(from: position) else { return endPath(at: node, root, position, catalog) }
        if !failed.isEmpty, failed.contains(Place(node: node, position: position)) { return false }
        if matchState(root, segment, patternStart: position, path, catalog) { return true }
        failed.insert(Place(node: node, position: position))
        return false
    }

    /// Ends the path at a node: on a child that takes no segment and opens nothing, else on the node itself.
    private mutating func endPath(at node: Int, _ root: Int, _ position: Int, _ catalog: RouteCatalog) -> Bool {
        let isEntry = node == catalog.graph.entryNode
        if let chain = catalog.automaton.states[root].chain ?? (isEntry ? catalog.automaton.entryInitial : nil) {
            let step = MatchStep(chain: chain, start: position, end: position)
            observer.accepted(step)
            steps.append(step)
            return true
        }
        guard isEntry else { return true }
        observer.rejected(MatchRejection(state: root, segment: nil, capture: nil), after: steps)
        return false
    }

    private mutating func matchState(
        _ state: Int,
        _ segment: LinkRange,
        patternStart: Int,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> Bool {
        // Where a candidate fails further on, the failure is told there.
        var isDeadEnd = true
        if let next = catalog.automaton.next(from: state, with: segment, of: path.bytes) {
            if arrive(at: next, segment.end, patternStart: patternStart, path, catalog) { return true }
            isDeadEnd = false
        }
        let captures = catalog.automaton.states[state].captures
        var index = Int(captures.lowerBound)
        while index < Int(captures.upperBound) {
            defer { index += 1 }
            if let misfit = Self.misfit(for: index, segment, path, catalog) {
                observer.rejected(
                    MatchRejection(state: state, segment: misfit, capture: catalog.automaton.captures[index]),
                    after: steps
                )
                continue
            }
            isDeadEnd = false
            if catalog.automaton.captures[index].isOrdered {
                if takeInOrder(index, of: state, segment, patternStart: patternStart, path, catalog) { return true }
            } else if take(index, segment, patternStart: patternStart, path, catalog) {
                return true
            }
        }
        if isDeadEnd {
            observer.rejected(MatchRejection(state: state, segment: segment, capture: nil), after: steps)
        }
        return false
    }

    /// Takes a parameter that fits, unless it waits for another one, and then those that waited for it.
    private mutating func takeInOrder(
        _ index: Int,
        of state: Int,
        _ segment: LinkRange,
        patternStart: Int,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> Bool {
        let capture = catalog.automaton.captures[index]
        let first = Int(catalog.automaton.states[state].captures.lowerBound)
        /// Finds the last of some parameters that accepts the segment.
        func last(of numbers: [Int]) -> Int? {
            numbers.last { Self.misfit(for: first + $0, segment, path, catalog) == nil }.map { first + $0 }
        }
        guard last(of: capture.predecessors) == nil else { return false }
        if take(index, segment, patternStart: patternStart, path, catalog) { return true }
        for waiting in capture.successors.map({ first + $0 }) {
            if Self.misfit(for: waiting, segment, path, catalog) == nil,
                last(of: catalog.automaton.captures[waiting].predecessors) == index,
                take(waiting, segment, patternStart: patternStart, path, catalog)
            {
                return true
            }
        }
        return false
    }

    private mutating func take(
        _ capture: Int,
        _ segment: LinkRange,
        patternStart: Int,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> Bool {
        arrive(
            at: catalog.automaton.captures[capture].next,
            catalog.automaton.captures[capture].isRest ? path.end : segment.end,
            patternStart: patternStart,
            path,
            catalog
        )
    }

    /// Finds the first segment that a parameter does not accept, of the one or all that it reads.
    ///
    /// A rest whose number of segments is out of bounds does not fit from its first segment on.
    @inline(__always)
    private static func misfit(
        for capture: Int,
        _ segment: LinkRange,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> LinkRange? {
        guard catalog.automaton.captures[capture].accepts(segment, of: path.bytes) else { return segment }
        guard catalog.automaton.captures[capture].isRest else { return nil }
        return misfit(forRest: catalog.automaton.captures[capture], from: segment, path, catalog)
    }

    private static func misfit(
        forRest capture: MatchingAutomaton.Capture,
        from first: LinkRange,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> LinkRange? {
        var count = 1
        var last = first
        while let segment = path.nextSegment(from: last.end) {
            guard capture.accepts(segment, of: path.bytes) else { return segment }
            count += 1
            last = segment
        }
        let type = catalog.graph.edges[capture.edge].parameters[capture.parameter].type
        return type.accepts(count: count) ? nil : first
    }

    /// Goes on from a state after a segment: deeper into its patterns first, then through the one that ends here.
    private mutating func arrive(
        at state: Int,
        _ position: Int,
        patternStart: Int,
        _ path: PathBytes,
        _ catalog: RouteCatalog
    ) -> Bool {
        let chain = catalog.automaton.states[state].chain
        if catalog.automaton.states[state].hasChildren {
            if let segment = path.nextSegment(from: position) {
                if matchState(state, segment, patternStart: patternStart, path, catalog) { return true }
            } else if chain == nil {
                observer.rejected(MatchRejection(state: state, segment: nil, capture: nil), after: steps)
                return false
            }
        }
        guard let chain else { return false }
        let step = MatchStep(chain: chain, start: patternStart, end: position)
        observer.accepted(step)
        steps.append(step)
        if matchNode(catalog.automaton.chains[chain].node, from: position, path, catalog) { return true }
        steps.removeLast()
        observer.abandoned(step)
        return false
    }
}
