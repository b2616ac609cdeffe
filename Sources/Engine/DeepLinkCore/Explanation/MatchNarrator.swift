/// A report of the search, candidate by candidate and most specific first, up to the chosen path.
struct MatchNarrator {
    private struct Place: Hashable {
        let node: Int
        let position: Int
    }

    private let path: PathBytes
    private let catalog: RouteCatalog

    /// The chosen steps, or `nil` if the path does not match.
    private let chosen: ShortList<MatchStep>?

    private var search: RouteSearch
    private var steps = ShortList<MatchStep>()
    private var recorder = MatchRecorder()

    /// The dead ends that have been reported.
    private var told: Set<Place> = []

    /// Records how the path of a link is matched from a node on.
    static func narrate(_ path: RoutedPath, from node: Int, in catalog: RouteCatalog) -> MatchRecorder {
        let bytes = path.link.pathBytes
        var search = RouteSearch(bytes, catalog: catalog)
        let found = PathMatcher.search(&search, from: path.start, at: node)
        var narrator = MatchNarrator(search, chosen: try? found.get())
        _ = narrator.narrate(node: node, from: path.start)
        return narrator.recorder
    }

    private init(_ search: RouteSearch, chosen: ShortList<MatchStep>?) {
        path = search.path
        catalog = search.catalog
        self.search = search
        self.chosen = chosen
    }

    private mutating func narrate(node: Int, from position: Int) -> Bool {
        let root = catalog.automaton.roots[node]
        guard let segment = path.nextSegment(from: position) else {
            if let last = PathMatcher.lastStep(at: node, position: position, in: catalog) {
                recorder.record(.accepted(last))
                return true
            }
            guard node == catalog.graph.entryNode else { return true }
            reject(root, segment: nil, capture: nil)
            return false
        }
        guard !told.contains(Place(node: node, position: position)) else { return false }
        if narrate(state: root, segment, patternStart: position) { return true }
        told.insert(Place(node: node, position: position))
        return false
    }

    private mutating func narrate(state: StateIndex, _ segment: LinkRange, patternStart: Int) -> Bool {
        let reading = search.reading(of: state, segment)
        // A candidate that fails further on is reported there.
        var isDeadEnd = true
        if let next = reading.literal {
            if arrive(at: next, position: segment.end, patternStart: patternStart) { return true }
            isDeadEnd = false
        }
        for number in catalog.automaton.states[state].captures {
            let capture = CaptureIndex(number)
            if let misfit = search.misfit(for: capture, of: state, segment) {
                reject(state, segment: misfit, capture: catalog.automaton.captures[capture])
                continue
            }
            isDeadEnd = false
            if arrive(
                at: catalog.automaton.captures[capture].next,
                position: search.end(of: capture, segment),
                patternStart: patternStart
            ) {
                return true
            }
        }
        if isDeadEnd { reject(state, segment: segment, capture: nil) }
        return false
    }

    /// Records a state after a segment: its longer patterns first, then the pattern that ends there.
    private mutating func arrive(at state: StateIndex, position: Int, patternStart: Int) -> Bool {
        let chain = catalog.automaton.states[state].chain
        let next = path.nextSegment(from: position)
        if catalog.automaton.states[state].hasChildren {
            if let next {
                if narrate(state: state, next, patternStart: patternStart) { return true }
            } else if chain == nil {
                reject(state, segment: nil, capture: nil)
                return false
            }
        }
        guard let chain else { return false }
        let step = MatchStep(chain: chain, start: patternStart, end: position)
        recorder.record(.accepted(step))
        let isChosen = chosen.map { steps.count < $0.count && $0[steps.count] == step } ?? false
        let isWhole = next.map { search.read(search.root(behind: chain), segment: $0) == RouteSearch.whole } ?? true
        guard isChosen || !isWhole else {
            recorder.record(.outranked(step))
            return false
        }
        steps.append(step)
        if narrate(node: catalog.automaton.chains[chain].node, from: position) { return true }
        steps.removeLast()
        recorder.record(.abandoned(step))
        return false
    }

    private mutating func reject(_ state: StateIndex, segment: LinkRange?, capture: MatchingAutomaton.Capture?) {
        recorder.record(
            .rejected(DeadEnd(state: state, segment: segment, capture: capture), after: steps.last)
        )
    }
}

/// A record of the matcher's events, in order.
///
/// The list is bounded: a hostile link against a large catalog must not exhaust memory with its explanation.
struct MatchRecorder {
    /// The maximum number of recorded events.
    static let maximumCount = 1000

    /// One event of the matcher.
    enum Event {
        /// A candidate's segments fit, and the rest is tried next.
        case accepted(MatchStep)

        /// Nothing after an accepted candidate fits.
        case abandoned(MatchStep)

        /// The path can be read this way, but also in a more specific way.
        case outranked(MatchStep)

        /// A candidate failed after an accepted step.
        case rejected(DeadEnd, after: MatchStep?)
    }

    private(set) var events: [Event] = []

    /// The number of dropped events.
    private(set) var omittedCount = 0

    mutating func record(_ event: Event) {
        if events.count < Self.maximumCount { events.append(event) } else { omittedCount += 1 }
    }
}
