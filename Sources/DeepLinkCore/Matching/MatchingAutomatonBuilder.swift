/// Builds the automaton of a catalog, reporting siblings that cannot be told apart.
struct MatchingAutomatonBuilder {
    /// The most patterns, containers expanded, that a catalog may have.
    private static let maximumChainCount = 1_000_000

    /// The most containers that may stand inside each other.
    private static let maximumNesting = 64

    /// The most ambiguities reported; more would say the same again.
    private static let maximumAmbiguityCount = 100

    private struct LiteralKey: Hashable {
        let state: Int
        let text: [UInt8]
    }

    private let graph: CatalogGraph
    private var states: [MatchingAutomaton.State] = [MatchingAutomaton.State()]
    private var children: [LiteralKey: Int] = [:]
    private var literals: [(state: Int, text: String, next: Int)] = []
    private var chains: [MatchingAutomaton.Chain] = []
    private var issues: [CatalogIssue] = []

    /// How many steps comparing patterns may still take.
    private var overlapBudget = 1_000_000

    private init(_ graph: CatalogGraph) {
        self.graph = graph
    }

    /// Builds the automaton.
    ///
    /// - Precondition: `graph` has no cycle of containers.
    /// - Complexity: linear in the patterns, containers expanded, plus the pairs of parameters of one state.
    static func build(_ graph: CatalogGraph, reporting issues: inout [CatalogIssue]) -> MatchingAutomaton {
        var builder = MatchingAutomatonBuilder(graph)
        var roots: [Int] = []
        for node in 0...graph.entryNode {
            let root = builder.addState()
            roots.append(root)
            builder.add(opensOf: node, behind: [], to: root)
            guard builder.chains.count <= maximumChainCount else { break }
        }
        var entryInitial: Int?
        if let initial = graph.initials[graph.entryNode] {
            entryInitial = builder.chains.count
            builder.chains.append(MatchingAutomaton.Chain(edges: [initial], spelling: nil))
        }
        builder.sortChildren()
        for root in roots { builder.checkOverlap(root, root) }
        issues += builder.issues
        return MatchingAutomaton(
            states: builder.states,
            literals: LiteralTable(builder.literals),
            roots: roots,
            chains: builder.chains,
            entryInitial: entryInitial
        )
    }

    private mutating func addState() -> Int {
        states.append(MatchingAutomaton.State())
        return states.count - 1
    }

    private mutating func add(opensOf node: Int, behind containers: [Int], to root: Int) {
        for index in graph.opens(node) where graph.edges[index].isLinkable {
            let edge = graph.edges[index]
            let continues = graph.routes[edge.child].opens.contains { graph.edges[$0].takesPath }
            for (number, spelling) in edge.spellings.enumerated() {
                guard chains.count <= Self.maximumChainCount, containers.count <= Self.maximumNesting else {
                    return report(
                        .tooLarge,
                        at: edge.location,
                        "The catalog has more than \(Self.maximumChainCount) paths, counting containers once for each "
                            + "opener, or more than \(Self.maximumNesting) containers inside each other.",
                        hint: "Open large containers from fewer routes."
                    )
                }
                let chain = MatchingAutomaton.Chain(edges: containers + [index], spelling: number)
                if spelling.parts.isEmpty, continues {
                    guard !isSecondContainer(index) else { continue }
                    add(opensOf: edge.child, behind: chain.edges, to: root)
                } else {
                    insert(chain, spelling, at: root)
                }
            }
        }
    }

    /// Tells whether an alternative before this edge is a container already: what is behind is the same.
    private func isSecondContainer(_ index: Int) -> Bool {
        graph.alternatives[index].prefix { $0 != index }.contains { graph.edges[$0].canTakeNoSegment }
    }

    /// Reports a fault of the whole catalog once.
    private mutating func report(_ code: CatalogIssue.Code, at place: SourceLocation, _ message: String, hint: String) {
        guard !issues.contains(where: { $0.code == code }) else { return }
        issues.append(CatalogIssue(code, at: place, message, hint: hint))
    }

    private mutating func insert(_ chain: MatchingAutomaton.Chain, _ spelling: PathSpelling, at root: Int) {
        var state = root
        for part in spelling.parts {
            switch part {
            case .literal(let text): state = child(of: state, for: text)
            case .parameter(let index): state = child(of: state, reading: index, isRest: false, of: chain)
            case .rest(let index): state = child(of: state, reading: index, isRest: true, of: chain)
            }
        }
        if let other = states[state].chain {
            if !areAlternatives(chains[other], chain) { reportAmbiguity(chains[other], chain) }
        } else {
            states[state].chain = chains.count
        }
        chains.append(chain)
    }

    /// Tells whether two chains part at edges between the same two routes, so that their order decides.
    private func areAlternatives(_ left: MatchingAutomaton.Chain, _ right: MatchingAutomaton.Chain) -> Bool {
        guard let (one, other) = zip(left.edges, right.edges).first(where: { $0 != $1 }) else {
            return left.edges.count == right.edges.count
        }
        return graph.edges[one].parent == graph.edges[other].parent
            && graph.edges[one].child == graph.edges[other].child
    }

    private mutating func child(
        of state: Int,
        reading parameter: Int,
        isRest: Bool,
        of chain: MatchingAutomaton.Chain
    ) -> Int {
        let edge = chain.edges[chain.edges.count - 1]
        let known = states[state].captures
            .first { $0.edge == edge && $0.parameter == parameter && $0.isRest == isRest }
        if let known { return known.next }
        // What no segment can hold is reported by the graph's checks; any text stands for it here.
        let type = graph.edges[edge].parameters[parameter].type.segmentType ?? .string(min: nil, max: nil, pattern: nil)
        let next = addState()
        states[state].captures
            .append(
                MatchingAutomaton.Capture(
                    edge: edge,
                    spelling: chain.spelling ?? 0,
                    parameter: parameter,
                    type: type,
                    isRest: isRest,
                    next: next
                )
            )
        return next
    }

    private mutating func child(of state: Int, for text: String) -> Int {
        let key = LiteralKey(state: state, text: Array(text.utf8))
        if let known = children[key] { return known }
        let next = addState()
        children[key] = next
        literals.append((state, text, next))
        states[state].literals.append(text)
        return next
    }

    /// Puts the most specific parameter first, and everything else in an order that is not the file's.
    ///
    /// The parameters of one pattern keep their order, present before absent: a later one counts as no more
    /// specific than those before it.
    private mutating func sortChildren() {
        for state in states.indices { states[state].literals.sort() }
        for state in states.indices where states[state].captures.count > 1 {
            let captures = states[state].captures.sorted { ($0.edge, $0.spelling) < ($1.edge, $1.spelling) }
            var ranked: [(rank: Specificity, capture: MatchingAutomaton.Capture)] = []
            for capture in captures {
                var rank = Specificity(capture)
                if let before = ranked.last, before.capture.edge == capture.edge,
                    pattern(before.capture) == pattern(capture)
                {
                    rank = max(rank, before.rank)
                }
                ranked.append((rank, capture))
            }
            ranked.sort { left, right in
                let names = [left, right].map { graph.routes[graph.edges[$0.capture.edge].child].name }
                return (left.rank, names[0], left.capture.edge, left.capture.spelling)
                    < (right.rank, names[1], right.capture.edge, right.capture.spelling)
            }
            states[state].captures = ranked.map(\.capture)
        }
    }

    private func pattern(_ capture: MatchingAutomaton.Capture) -> Int {
        graph.edges[capture.edge].spellings[capture.spelling].pattern
    }

    // MARK: Ambiguity

    /// Looks for a text that leads from two states to two ends by equally specific steps.
    private mutating func checkOverlap(_ left: Int, _ right: Int) {
        guard issues.count < Self.maximumAmbiguityCount else { return }
        if left != right, let leftChain = states[left].chain, let rightChain = states[right].chain,
            !areAlternatives(chains[leftChain], chains[rightChain])
        {
            reportAmbiguity(chains[leftChain], chains[rightChain])
        }
        for text in states[left].literals {
            let bytes = Array(text.utf8)
            guard let leftNext = children[LiteralKey(state: left, text: bytes)],
                let rightNext = children[LiteralKey(state: right, text: bytes)]
            else { continue }
            checkOverlap(leftNext, rightNext)
        }
        let rightCaptures = states[right].captures
        for (index, capture) in states[left].captures.enumerated() {
            for (otherIndex, other) in rightCaptures.enumerated() where left != right || otherIndex >= index {
                switch TypeOverlap.exists(capture, other, budget: &overlapBudget) {
                case true?: checkOverlap(capture.next, other.next)
                case false?: continue
                case nil:
                    return report(
                        .tooLarge,
                        at: graph.edges[other.edge].location,
                        "The patterns of parameters are too long to be told apart.",
                        hint: "Shorten the lengths in `pattern`, or put a literal segment before the parameter."
                    )
                }
            }
        }
    }

    private mutating func reportAmbiguity(_ left: MatchingAutomaton.Chain, _ right: MatchingAutomaton.Chain) {
        let chains = [left, right].sorted { location($0) < location($1) }
        let names = chains.map { chain in
            let edge = graph.edges[chain.edges[chain.edges.count - 1]]
            let text = edge.patterns.first { !$0.isContainer }.map { "/" + $0.text } ?? "a container"
            return "`\(graph.routes[edge.child].name)` (\(text))"
        }
        let issue = CatalogIssue(
            .ambiguousRoutes,
            at: location(chains[1]),
            "Some link matches both \(names[0]) and \(names[1]), and neither is more specific.",
            hint: "Give one of them another literal segment, or narrow a parameter's type or pattern."
        )
        if !issues.contains(issue) { issues.append(issue) }
    }

    private func location(_ chain: MatchingAutomaton.Chain) -> SourceLocation {
        graph.edges[chain.edges[chain.edges.count - 1]].location
    }
}
