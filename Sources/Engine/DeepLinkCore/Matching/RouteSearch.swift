/// The search of all paths through the catalog that match a link's path.
///
/// It first computes the reach of each place, a pair of a state and a position in the path, each once. The cost is
/// therefore linear in the reachable places times the candidates tried there, independent of the catalog's size. It
/// then follows, segment by segment, all paths that get furthest and are the most specific so far (decision record 12).
struct RouteSearch {
    /// The reach of a path that matches as a whole.
    static let whole = Int.max

    /// The reach of a path that ends where a further segment is required.
    static let ended = Int.max - 1

    /// The transitions of a state for a segment.
    struct Reading {
        /// The furthest reach from here: ``whole``, ``ended``, or the offset of the first segment that does not fit.
        var furthest: Int

        /// The state after the literal equal to the segment, or `nil` if there is none.
        var literal: StateIndex?

        /// The captures that accept the segment, and for a rest all segments after it.
        var fitting: [CaptureIndex] = []
    }

    let path: PathBytes
    let catalog: RouteCatalog

    private var readings: [Place<MatchingAutomaton.State>: Reading] = [:]
    private var patternMatches: [Place<MatchingAutomaton.State>: PatternAutomaton.Matches] = [:]

    /// The first segment from a position on that a rest does not accept.
    private var restMisfits: [Place<MatchingAutomaton.Capture>: LinkRange?] = [:]

    /// The number of segments from a position on.
    private var segmentCounts: [Int: Int] = [:]

    /// A state or a capture, and the position in the path at which it reads.
    private struct Place<Reader>: Hashable {
        let reader: TypedIndex<Reader>
        let position: Int
    }

    init(_ path: PathBytes, catalog: RouteCatalog) {
        self.path = path
        self.catalog = catalog
    }

    // MARK: Reach

    /// Returns the reach of the path from a state on, and caches it.
    mutating func read(_ state: StateIndex, segment: LinkRange) -> Int {
        guard catalog.automaton.states[state].hasChildren else { return segment.start }
        let place = Place(reader: state, position: segment.start)
        if let known = readings[place] { return known.furthest }
        var reading = Reading(furthest: segment.start)
        reading.literal = catalog.automaton.next(from: state, with: segment, of: path.bytes)
        if let next = reading.literal { reading.furthest = max(reading.furthest, arrive(at: next, segment.end)) }
        for number in catalog.automaton.states[state].captures {
            let capture = CaptureIndex(number)
            if let misfit = misfit(for: capture, of: state, segment) {
                reading.furthest = max(reading.furthest, misfit.start)
            } else {
                reading.fitting.append(capture)
                reading.furthest = max(reading.furthest, arrive(by: capture, segment))
            }
        }
        readings[place] = reading
        return reading.furthest
    }

    /// Returns the transitions of a state for a segment.
    mutating func reading(of state: StateIndex, _ segment: LinkRange) -> Reading {
        let furthest = read(state, segment: segment)
        return readings[Place(reader: state, position: segment.start)] ?? Reading(furthest: furthest)
    }

    /// Returns the reach after a segment has led to a state: within longer patterns, or through the pattern that ends
    /// there.
    mutating func arrive(at state: StateIndex, _ position: Int) -> Int {
        let chain = catalog.automaton.states[state].chain
        guard let segment = path.nextSegment(from: position) else { return chain == nil ? Self.ended : Self.whole }
        let deeper = read(state, segment: segment)
        guard let chain else { return deeper }
        return max(deeper, read(root(behind: chain), segment: segment))
    }

    /// Returns the reach after a capture that accepts a segment.
    mutating func arrive(by capture: CaptureIndex, _ segment: LinkRange) -> Int {
        arrive(at: catalog.automaton.captures[capture].next, end(of: capture, segment))
    }

    /// Returns the state from which a path continues after a chain.
    func root(behind chain: ChainIndex) -> StateIndex { catalog.automaton.roots[catalog.automaton.chains[chain].node] }

    /// Returns the offset at which the path continues after a capture.
    func end(of capture: CaptureIndex, _ segment: LinkRange) -> Int {
        catalog.automaton.captures[capture].isRest ? path.end : segment.end
    }

    // MARK: Captures

    /// Returns the first segment that a capture does not accept: a capture reads one segment, or all remaining ones.
    ///
    /// A rest with too few or too many segments is rejected from its first segment on.
    mutating func misfit(for capture: CaptureIndex, of state: StateIndex, _ segment: LinkRange) -> LinkRange? {
        guard accepts(capture, of: state, segment: segment) else { return segment }
        guard catalog.automaton.captures[capture].isRest else { return nil }
        if let misfit = restMisfit(for: capture, of: state, segment) { return misfit }
        guard let parameter = catalog.automaton.captures[capture].parameter else { return nil }
        let edge = catalog.graph.edges[catalog.automaton.captures[capture].edge]
        let count = segmentCount(from: segment)
        return edge.parameters[parameter].type.accepts(count: count) ? nil : segment
    }

    private mutating func segmentCount(from segment: LinkRange) -> Int {
        if segmentCounts.isEmpty {
            var segments: [LinkRange] = []
            var next: LinkRange? = segment
            while let segment = next {
                segments.append(segment)
                next = path.nextSegment(from: segment.end)
            }
            for (index, segment) in segments.enumerated() { segmentCounts[segment.start] = segments.count - index }
        }
        return segmentCounts[segment.start] ?? path.segmentCount(from: segment.start)
    }

    private mutating func accepts(_ capture: CaptureIndex, of state: StateIndex, segment: LinkRange) -> Bool {
        guard catalog.automaton.captures[capture].pattern >= 0, catalog.automaton.states[state].patterns >= 0 else {
            return catalog.automaton.captures[capture].accepts(segment, of: path.bytes)
        }
        let place = Place(reader: state, position: segment.start)
        let matches = patternMatches[place] ?? catalog.automaton.patternMatches(in: state, segment, of: path.bytes)
        patternMatches[place] = matches
        return catalog.automaton.accepts(capture, segment: segment, of: path.bytes, matches: matches)
    }

    /// Returns the first segment from a position on that a rest does not accept, examining each segment once.
    private mutating func restMisfit(for capture: CaptureIndex, of state: StateIndex, _ first: LinkRange) -> LinkRange?
    {
        var passed: [Place<MatchingAutomaton.Capture>] = []
        var found: LinkRange?
        var next: LinkRange? = first
        while let segment = next {
            let place = Place(reader: capture, position: segment.start)
            if let known = restMisfits[place] {
                found = known
                break
            }
            passed.append(place)
            guard accepts(capture, of: state, segment: segment) else {
                found = segment
                break
            }
            next = path.nextSegment(from: segment.end)
        }
        for place in passed { restMisfits[place] = .some(found) }
        return found
    }
}
