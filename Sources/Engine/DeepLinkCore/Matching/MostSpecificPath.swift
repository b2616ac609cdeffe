/// The search for the most specific of the paths that get furthest through the catalog, segment by segment.
///
/// All paths that are equally specific so far are kept side by side. If several remain at the end, the path with the
/// longer patterns wins, from the first on. Of the same pattern, the first expansion wins, and in a list of edges the
/// first edge.
struct MostSpecificPath {
    /// One of the paths, up to the current segment.
    private struct Way {
        /// The state that reads the next segment, or the one reached at the end.
        var state: StateIndex

        /// The beginning of the current pattern.
        var start: Int

        /// The accepted steps, as an index into ``MostSpecificPath/trail``, or a negative number for none.
        var trail = -1

        var order = Order()

        /// The capture that does not accept a later segment, if the path ends with it.
        var misfit: (capture: CaptureIndex, segment: LinkRange)?
    }

    /// The tie-breakers between equally specific paths, each accumulated over the segments so far.
    private struct Order {
        /// Lower if patterns continue where patterns of other paths end.
        var ends = 0

        /// Lower if no parameter was ranked after another one of its pattern.
        var waits = 0

        /// Lower for the first of the chains that the catalog orders.
        var chains = 0

        static func < (left: Order, right: Order) -> Bool {
            (left.ends, left.waits, left.chains) < (right.ends, right.waits, right.chains)
        }
    }

    /// A path's transition by one segment.
    private struct Candidate {
        let way: Int
        let specificity: Int
        let wait: Int
        let state: StateIndex
        let end: Int
        let misfit: (capture: CaptureIndex, segment: LinkRange)?

        /// The number of the compound segment that ranks as one, or a negative number for none.
        var compound = -1
    }

    private var search: RouteSearch
    private let goal: Int
    private var trail: [(step: MatchStep, previous: Int)] = []

    /// Returns the most specific path from a node and the segment after it.
    static func find(
        _ search: inout RouteSearch,
        from node: Int,
        startingAt start: Int,
        segment: LinkRange
    ) -> Result<ShortList<MatchStep>, MatchError> {
        let root = search.catalog.automaton.roots[node]
        let goal = search.read(root, segment: segment)
        var best = MostSpecificPath(search: search, goal: goal)
        defer { search = best.search }
        return best.follow(Way(state: root, start: start), segment: segment)
    }

    private init(search: RouteSearch, goal: Int) {
        self.search = search
        self.goal = goal
    }

    private mutating func follow(_ first: Way, segment: LinkRange) -> Result<ShortList<MatchStep>, MatchError> {
        var ways = [first]
        var segment = segment
        while true {
            guard segment.start != goal else { return .failure(rejection(of: ways, at: segment)) }
            let candidates = mostSpecific(ways, segment: segment)
            guard let first = candidates.first else { return .failure(rejection(of: ways, at: segment)) }
            let next = first.misfit == nil ? search.path.nextSegment(from: first.end) : nil
            ways = advance(ways, by: candidates, to: next)
            guard let next else { return finish(ways) }
            segment = next
        }
    }

    // MARK: One segment

    /// Returns the candidates for a segment that get furthest, and of these the most specific.
    private mutating func mostSpecific(_ ways: [Way], segment: LinkRange) -> [Candidate] {
        var best: [Candidate] = []
        func add(_ candidate: Candidate) {
            let known = best.first?.specificity ?? Int.max
            if candidate.specificity < known { best = [] }
            if candidate.specificity <= known { best.append(candidate) }
        }
        for (number, way) in ways.enumerated() {
            let reading = search.reading(of: way.state, segment)
            guard reading.furthest == goal else { continue }
            if let next = reading.literal, search.arrive(at: next, segment.end) == goal {
                add(Candidate(way: number, specificity: -1, wait: 0, state: next, end: segment.end, misfit: nil))
                continue
            }
            guard best.first?.specificity != -1 else { continue }
            let leading = reading.fitting.filter { search.arrive(by: $0, segment) == goal }
            for index in leading {
                let capture = search.catalog.automaton.captures[index]
                // A parameter ranks after the last of its predecessors in the pattern that continue to a match.
                let first = Int(search.catalog.automaton.states[way.state].captures.lowerBound)
                let awaited = capture.predecessors.map { CaptureIndex(first + $0) }.last(where: leading.contains)
                let specificity = awaited.map { search.catalog.automaton.captures[$0].specificity }
                add(
                    Candidate(
                        way: number,
                        specificity: (specificity ?? capture.specificity).rawValue,
                        wait: awaited == nil ? 0 : 1 + capture.expansion * 8 + capture.specificity.rawValue,
                        state: capture.next,
                        end: search.end(of: index, segment),
                        misfit: nil,
                        compound: awaited == nil ? capture.compoundNumber : -1
                    )
                )
            }
            guard leading.isEmpty else { continue }
            for number32 in search.catalog.automaton.states[way.state].captures {
                let index = CaptureIndex(number32)
                guard let misfit = search.misfit(for: index, of: way.state, segment), misfit.start == goal else {
                    continue
                }
                add(
                    Candidate(
                        way: number,
                        specificity: Specificity.rest.rawValue,
                        wait: 0,
                        state: way.state,
                        end: segment.end,
                        misfit: (index, misfit)
                    )
                )
            }
        }
        return narrowest(best)
    }

    /// Returns the candidates without compound segments that are less specific than another one.
    private func narrowest(_ candidates: [Candidate]) -> [Candidate] {
        guard candidates.count > 1, candidates.contains(where: { $0.compound >= 0 }) else { return candidates }
        let automaton = search.catalog.automaton
        return candidates.filter { candidate in
            !candidates.contains { automaton.isNarrower($0.compound, than: candidate.compound) }
        }
    }

    /// Advances to the next segment, or to the end of the path.
    private mutating func advance(_ ways: [Way], by candidates: [Candidate], to next: LinkRange?) -> [Way] {
        var moved: [(way: Way, before: Order, added: Order)] = []
        var places: [StateIndex: Int] = [:]
        func add(_ way: Way, before: Order, added: Order) {
            if let known = places[way.state] {
                if Self.precedes((before, added), (moved[known].before, moved[known].added)) {
                    moved[known] = (way, before, added)
                }
                return
            }
            places[way.state] = moved.count
            moved.append((way, before, added))
        }
        for candidate in candidates {
            var way = ways[candidate.way]
            let before = way.order
            way.state = candidate.state
            way.misfit = candidate.misfit
            var added = Order(ends: 0, waits: candidate.wait, chains: 0)
            guard let next, candidate.misfit == nil else {
                if candidate.misfit == nil, goal == RouteSearch.whole,
                    let chain = search.catalog.automaton.states[candidate.state].chain
                {
                    added.chains = chain.number
                    way.trail = append(chain, way: way, end: candidate.end)
                }
                add(way, before: before, added: added)
                continue
            }
            if search.catalog.automaton.states[candidate.state].hasChildren,
                search.read(candidate.state, segment: next) == goal
            {
                add(way, before: before, added: added)
            }
            guard let chain = search.catalog.automaton.states[candidate.state].chain else { continue }
            let root = search.root(behind: chain)
            guard search.read(root, segment: next) == goal else { continue }
            added.ends = 1
            added.chains = chain.number
            way.state = root
            way.trail = append(chain, way: way, end: candidate.end)
            way.start = candidate.end
            add(way, before: before, added: added)
        }
        guard moved.count > 1 else { return moved.map { $0.way } }
        return Self.renumbered(moved)
    }

    private mutating func append(_ chain: ChainIndex, way: Way, end: Int) -> Int {
        trail.append((MatchStep(chain: chain, start: way.start, end: end), way.trail))
        return trail.count - 1
    }

    // MARK: Order

    private static func precedes(_ left: (Order, Order), _ right: (Order, Order)) -> Bool {
        if (left.0.ends, left.1.ends) != (right.0.ends, right.1.ends) {
            return (left.0.ends, left.1.ends) < (right.0.ends, right.1.ends)
        }
        if (left.0.waits, left.1.waits) != (right.0.waits, right.1.waits) {
            return (left.0.waits, left.1.waits) < (right.0.waits, right.1.waits)
        }
        return (left.0.chains, left.1.chains) < (right.0.chains, right.1.chains)
    }

    /// Renumbers the tie-breakers with small numbers, so that further segments can be added.
    private static func renumbered(_ ways: [(way: Way, before: Order, added: Order)]) -> [Way] {
        var result = ways.map { $0.way }
        func number(_ member: (Order) -> Int, set: (inout Order, Int) -> Void) {
            let values = ways.map { (member($0.before), member($0.added)) }
            var rank = -1
            var last: (Int, Int)?
            for index in values.indices.sorted(by: { values[$0] < values[$1] }) {
                if last.map({ $0 != values[index] }) ?? true { rank += 1 }
                last = values[index]
                set(&result[index].order, rank)
            }
        }
        number({ $0.ends }, set: { $0.ends = $1 })
        number({ $0.waits }, set: { $0.waits = $1 })
        number({ $0.chains }, set: { $0.chains = $1 })
        return result.sorted { $0.order < $1.order }
    }

    // MARK: The end

    private mutating func finish(_ ways: [Way]) -> Result<ShortList<MatchStep>, MatchError> {
        guard let way = ways.first else {
            return .failure(MatchError(rejection: nil, steps: ShortList()))
        }
        if let (capture, segment) = way.misfit {
            let rejection = DeadEnd(
                state: way.state,
                segment: segment,
                capture: search.catalog.automaton.captures[capture]
            )
            return .failure(MatchError(rejection: rejection, steps: steps(of: way)))
        }
        guard goal == RouteSearch.whole else {
            let rejection = DeadEnd(state: way.state, segment: nil, capture: nil)
            return .failure(MatchError(rejection: rejection, steps: steps(of: way)))
        }
        return .success(steps(of: way))
    }

    private func steps(of way: Way) -> ShortList<MatchStep> {
        var reversed: [MatchStep] = []
        var index = way.trail
        while index >= 0 {
            reversed.append(trail[index].step)
            index = trail[index].previous
        }
        var steps = ShortList<MatchStep>()
        for step in reversed.reversed() { steps.append(step) }
        return steps
    }

    /// Returns the cause of a rejected segment: a parameter if there is one, otherwise a missing literal.
    private mutating func rejection(of ways: [Way], at segment: LinkRange) -> MatchError {
        for way in ways {
            for number in search.catalog.automaton.states[way.state].captures {
                let capture = CaptureIndex(number)
                guard let misfit = search.misfit(for: capture, of: way.state, segment), misfit.start == goal,
                    search.catalog.automaton.captures[capture].isParameterFault(misfit, of: search.path.bytes)
                else { continue }
                let rejection = DeadEnd(
                    state: way.state,
                    segment: misfit,
                    capture: search.catalog.automaton.captures[capture]
                )
                return MatchError(rejection: rejection, steps: ways.first.map(steps) ?? ShortList())
            }
        }
        let rejection = ways.first.map { DeadEnd(state: $0.state, segment: segment, capture: nil) }
        return MatchError(rejection: rejection, steps: ways.first.map(steps) ?? ShortList())
    }
}
