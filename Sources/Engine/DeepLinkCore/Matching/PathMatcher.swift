/// The matcher of a link's path against the catalog's edges.
///
/// At every segment the most specific candidate is taken, independent of the segments before it (decision record 12).
/// Nothing is allocated if the first candidates reach the end without competition.
struct PathMatcher {
    /// The accepted patterns, in the order of the path.
    private(set) var steps = ShortList<MatchStep>()

    /// The failure that got furthest if the path does not match.
    private(set) var failure: MatchError?

    /// Matches a link's path, from an offset in it and a node on.
    ///
    /// - Returns: Whether it matches. If so, ``steps`` holds the accepted patterns.
    /// - Complexity: linear in the reachable pairs of a state and a position, times the candidates tried at each.
    mutating func match(_ link: DeepLink, from start: Int, at node: Int, in catalog: RouteCatalog) -> Bool {
        let path = link.pathBytes
        if descend(path, from: start, at: node, in: catalog) { return true }
        steps = ShortList<MatchStep>()
        var search = RouteSearch(path, catalog: catalog)
        switch Self.search(&search, from: start, at: node) {
        case .success(let found):
            steps = found
            return true
        case .failure(let found):
            failure = found
            return false
        }
    }

    // The path and the catalog are passed from call to call: loading them from a property would retain them each time.

    // MARK: Without backtracking

    /// Follows the first candidate at each position, which suffices for most links.
    ///
    /// - Returns: Whether this reached the end without competition. The result is then the same as from the search,
    ///   which tries the same candidates first.
    private mutating func descend(
        _ path: PathBytes,
        from start: Int,
        at node: Int,
        in catalog: RouteCatalog
    ) -> Bool {
        let automaton = catalog.automaton
        var node = node
        var state = automaton.roots[node]
        var patternStart = start
        var next = path.nextSegment(from: start)
        while let segment = next {
            guard let following = Self.firstState(after: state, segment: segment, path: path, automaton: automaton)
            else { return false }
            next = path.nextSegment(from: segment.end)
            let reached = automaton.states[following]
            if reached.hasChildren, next != nil {
                guard !reached.isFork else { return false }
                state = following
                continue
            }
            guard let chain = reached.chain else { return false }
            steps.append(MatchStep(chain: chain, start: patternStart, end: segment.end))
            node = automaton.chains[chain].node
            state = automaton.roots[node]
            patternStart = segment.end
        }
        guard let last = Self.lastStep(at: node, position: patternStart, in: catalog) else {
            return node != catalog.graph.entryNode
        }
        steps.append(last)
        return true
    }

    /// Returns the state after the most specific candidate, or `nil` if there is none, or more than one.
    @inline(__always)
    private static func firstState(
        after state: StateIndex,
        segment: LinkRange,
        path: PathBytes,
        automaton: MatchingAutomaton
    ) -> StateIndex? {
        let place = automaton.states[state]
        if !place.literals.isEmpty, let next = automaton.next(from: state, with: segment, of: path.bytes) {
            return next
        }
        guard place.patterns < 0 else { return nil }
        for number in place.captures {
            let lead = automaton.leads[CaptureIndex(number)]
            let isAccepted =
                switch lead.plainType {
                case .text: true
                case .int where DecimalText.int(segment, of: path.bytes.span) != nil: true
                case .int, .other: automaton.captures[CaptureIndex(number)].accepts(segment, of: path.bytes)
                }
            guard isAccepted else { continue }
            return lead.isAlone
                ? lead.next
                : Self.onlyState(from: CaptureIndex(number), segment: segment, path: path, automaton: automaton)
        }
        return nil
    }

    /// Returns the state after a capture that accepts a segment, or `nil` if an equally specific capture accepts it
    /// too.
    private static func onlyState(
        from capture: CaptureIndex,
        segment: LinkRange,
        path: PathBytes,
        automaton: MatchingAutomaton
    ) -> StateIndex? {
        guard automaton.captures[capture].isSimple else { return nil }
        var other = capture
        while !automaton.captures[other].isLastOfRank {
            other = CaptureIndex(other.number + 1)
            if automaton.captures[other].accepts(segment, of: path.bytes) { return nil }
        }
        return automaton.captures[capture].next
    }

    /// Returns the step that ends a path at a node: a child without segments that opens nothing, or `entry`'s initial
    /// one.
    static func lastStep(at node: Int, position: Int, in catalog: RouteCatalog) -> MatchStep? {
        let initial = node == catalog.graph.entryNode ? catalog.automaton.entryInitial : nil
        let chain = catalog.automaton.states[catalog.automaton.roots[node]].chain ?? initial
        return chain.map { MatchStep(chain: $0, start: position, end: position) }
    }

    // MARK: The search

    /// Searches all readings of the path.
    ///
    /// - Returns: The steps of the most specific one, or the failure that got furthest.
    static func search(
        _ search: inout RouteSearch,
        from start: Int,
        at node: Int
    ) -> Result<ShortList<MatchStep>, MatchError> {
        let catalog = search.catalog
        var steps = ShortList<MatchStep>()
        var end = (node: node, position: start)
        if let segment = search.path.nextSegment(from: start) {
            switch MostSpecificPath.find(&search, from: node, startingAt: start, segment: segment) {
            case .failure(let failure): return .failure(failure)
            case .success(let found): steps = found
            }
            if let last = steps.last { end = (catalog.automaton.chains[last.chain].node, last.end) }
        }
        if let last = lastStep(at: end.node, position: end.position, in: catalog) {
            steps.append(last)
        } else if end.node == catalog.graph.entryNode {
            let rejection = DeadEnd(state: catalog.automaton.roots[node], segment: nil, capture: nil)
            return .failure(MatchError(rejection: rejection, steps: steps))
        }
        return .success(steps)
    }
}

/// One accepted pattern: its chain of edges, and the position of its segments in the link.
struct MatchStep: Hashable, Sendable {
    /// The index in ``MatchingAutomaton/chains``.
    let chain: ChainIndex

    /// The byte offset from which the pattern's segments are read.
    let start: Int

    /// The byte offset after the pattern's last segment.
    let end: Int
}

extension MatchStep: ShortListElement {
    // A link has at most 8,192 bytes, and an automaton fewer than 2^31 chains.
    var word: UInt64 { UInt64(chain.number) << 32 | UInt64(start) << 16 | UInt64(end) }

    init(word: UInt64) {
        self.init(
            chain: ChainIndex(Int(word >> 32)),
            start: Int(UInt16(truncatingIfNeeded: word >> 16)),
            end: Int(UInt16(truncatingIfNeeded: word))
        )
    }
}

/// The failure that got furthest into a path, which is most likely the intended path.
///
/// It is a class because it is usually absent: a match then stores one word for it.
final class MatchError: Error {
    /// The dead end of the path, or `nil` if the path has no segments.
    let rejection: DeadEnd?

    /// The accepted patterns before the dead end, the most specific ones that reach it.
    let steps: ShortList<MatchStep>

    init(rejection: DeadEnd?, steps: ShortList<MatchStep>) {
        self.rejection = rejection
        self.steps = steps
    }
}

/// The point at which a candidate failed, and its cause.
struct DeadEnd: Sendable {
    /// The state that could not continue.
    let state: StateIndex

    /// The segment that did not fit, or `nil` if the path ended too early.
    let segment: LinkRange?

    /// The parameter that did not accept the segment, or `nil` if no literal or parameter was left to try.
    let capture: MatchingAutomaton.Capture?
}
