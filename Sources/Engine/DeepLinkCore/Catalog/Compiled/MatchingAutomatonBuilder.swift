/// The builder of a catalog's automaton, which reports siblings that cannot be distinguished.
struct MatchingAutomatonBuilder {
    /// The transitions of one state for the next segment, while they are collected.
    struct State {
        /// The parameters to try after the literals, most specific first at the end of the build.
        var captures: [MatchingAutomaton.Capture] = []

        /// The chain of edges that ends here.
        var chain: ChainIndex?

        /// The literals that have a transition.
        var literals: [String] = []

        /// The patterns of the captures, if more than one has one.
        var patterns: PatternAutomaton?

        /// Whether a further segment could have a transition.
        var hasChildren: Bool { !literals.isEmpty || !captures.isEmpty }
    }

    /// The maximum number of paths in a catalog with a number of edges, containers expanded.
    ///
    /// Visits to containers count too.
    ///
    /// The limit grows with the edges, since nested containers could turn a text of 2 KB into any number of paths, and
    /// fill the memory.
    private static func maximumPathCount(edgeCount: Int) -> Int { min(1_000_000, 100_000 + 100 * edgeCount) }

    /// The maximum number of segments in all paths of a number of edges.
    private static func maximumStateCount(edgeCount: Int) -> Int { min(4_000_000, 200_000 + 400 * edgeCount) }

    /// The number of visits between two cancellation checks.
    private static let interruptionInterval = 256

    /// The maximum nesting of containers.
    private static let maximumNesting = 64

    private struct LiteralKey: Hashable {
        let state: StateIndex
        let text: [UInt8]
    }

    private struct CaptureKey: Hashable {
        let state: StateIndex
        let type: ScalarType
        let compound: CompoundSegment.Signature?
        let isRest: Bool

        /// The edge, if its result depends on more than the type.
        let edge: EdgeIndex?
    }

    private let graph: CatalogGraph
    private let interruption: Interruption
    private let maximumPathCount: Int
    private let maximumStateCount: Int
    private var states = [State()]
    private var children: [LiteralKey: StateIndex] = [:]
    private var captures: [CaptureKey: Int] = [:]
    private var compoundNumbers: [CompoundSegment.Signature: Int] = [:]
    private var literals: [(state: StateIndex, text: String, next: StateIndex)] = []
    private var chains: [MatchingAutomaton.Chain] = []
    private var visitCount = 0
    private var overlaps: OverlapChecks
    private var patternIssues: [CatalogIssue] = []

    /// The issue that ended the build, if any.
    private var excess: CatalogIssue?

    private init(_ graph: CatalogGraph, interruption: Interruption) {
        self.graph = graph
        self.interruption = interruption
        maximumPathCount = Self.maximumPathCount(edgeCount: graph.edges.count)
        maximumStateCount = Self.maximumStateCount(edgeCount: graph.edges.count)
        overlaps = OverlapChecks(graph, interruption: interruption)
    }

    /// Builds the automaton.
    ///
    /// A catalog that is too large to expand is reported, and its automaton matches nothing.
    ///
    /// - Precondition: `graph` is free of cycles of containers.
    /// - Complexity: linear in the segments of the paths, containers expanded, plus the pairs of parameters that
    ///   compete in one state. Both are bounded.
    static func build(
        _ graph: CatalogGraph,
        interruption: Interruption = .never,
        reporting issues: inout [CatalogIssue]
    ) -> MatchingAutomaton {
        var builder = MatchingAutomatonBuilder(graph, interruption: interruption)
        var roots: [StateIndex] = []
        for node in 0...graph.entryNode {
            let root = builder.addState()
            roots.append(root)
            builder.add(opensOf: node, behind: [], to: root)
        }
        var entryInitial: ChainIndex?
        if let initial = graph.initials[graph.entryNode] {
            entryInitial = ChainIndex(builder.chains.count)
            builder.chains.append(builder.chain([initial], expansion: nil))
        }
        if let excess = builder.excess {
            issues.append(excess)
        } else {
            builder.sortChildren()
            for root in roots {
                builder.overlaps.check(
                    root,
                    states: builder.states,
                    child: builder.children(of:for:),
                    chains: builder.chains
                )
            }
            issues += builder.overlaps.issues + builder.patternIssues
        }
        return MatchingAutomaton(
            states: builder.states,
            literals: LiteralTable(builder.literals),
            narrower: builder.overlaps.narrower,
            roots: roots,
            chains: builder.chains,
            entryInitial: entryInitial
        )
    }

    private mutating func addState() -> StateIndex {
        states.append(State())
        return StateIndex(states.count - 1)
    }

    private mutating func add(opensOf node: Int, behind containers: [EdgeIndex], to root: StateIndex) {
        for index in graph.opens(node) where graph.edges[index].isLinkable {
            let edge = graph.edges[index]
            let continues = graph.continues[edge.child]
            for (number, expansion) in edge.expansions.enumerated() {
                visitCount += 1
                guard visitCount <= maximumPathCount, states.count <= maximumStateCount,
                    containers.count <= Self.maximumNesting
                else {
                    excess = excess ?? tooLarge(at: edge.location)
                    return
                }
                guard excess == nil else { return }
                if visitCount % Self.interruptionInterval == 0, interruption.isDue {
                    excess = .givenUp(at: edge.location)
                    return
                }
                let chain = chain(containers + [index], expansion: number)
                if expansion.parts.isEmpty, continues {
                    guard !isSecondContainer(index) else { continue }
                    add(opensOf: edge.child, behind: chain.edges, to: root)
                } else {
                    insert(chain, expansion: expansion, at: root)
                }
            }
        }
    }

    private func chain(_ edges: [EdgeIndex], expansion: Int?) -> MatchingAutomaton.Chain {
        MatchingAutomaton.Chain(edges: edges, expansion: expansion, node: graph.edges[edges[edges.count - 1]].child)
    }

    private func tooLarge(at place: SourceLocation) -> CatalogIssue {
        CatalogIssue(
            .tooLarge,
            at: place,
            message: "The catalog has more than \(maximumPathCount) paths, counting containers once for each opener, "
                + "more than \(maximumStateCount) segments in them, or more than \(Self.maximumNesting) containers "
                + "inside each other.",
            hint: "Open large containers from fewer routes."
        )
    }

    /// Returns whether an earlier alternative of this edge is a container too, so that the same paths follow.
    private func isSecondContainer(_ index: EdgeIndex) -> Bool {
        graph.alternatives[index].prefix { $0 != index }.contains { graph.edges[$0].canTakeNoSegment }
    }

    // MARK: Paths

    private mutating func insert(_ chain: MatchingAutomaton.Chain, expansion: PathExpansion, at root: StateIndex) {
        var state = root
        for part in expansion.parts {
            switch part {
            case .literal(let text): state = child(of: state, for: text)
            case .parameter(let index): state = child(of: state, reading: index, isRest: false, of: chain)
            case .rest(let index): state = child(of: state, reading: index, isRest: true, of: chain)
            case .wildcard: state = child(of: state, reading: nil, isRest: false, of: chain)
            case .wildcardRest: state = child(of: state, reading: nil, isRest: true, of: chain)
            case .compound(let segment):
                state = child(of: state, reading: nil, compound: segment, isRest: false, of: chain)
            }
        }
        if let other = states[state].chain {
            overlaps.report(chains[other], chain)
        } else {
            states[state].chain = ChainIndex(chains.count)
        }
        chains.append(chain)
    }

    private mutating func child(of state: StateIndex, for text: String) -> StateIndex {
        let key = LiteralKey(state: state, text: Array(text.utf8))
        if let known = children[key] { return known }
        let next = addState()
        children[key] = next
        literals.append((state, text, next))
        states[state].literals.append(text)
        return next
    }

    private func children(of state: StateIndex, for text: String) -> StateIndex? {
        children[LiteralKey(state: state, text: Array(text.utf8))]
    }

    private mutating func child(
        of state: StateIndex,
        reading parameter: Int?,
        compound: CompoundSegment? = nil,
        isRest: Bool,
        of chain: MatchingAutomaton.Chain
    ) -> StateIndex {
        let index = chain.edges[chain.edges.count - 1]
        let edge = graph.edges[index]
        let expansion = chain.expansion ?? 0
        // The graph's checks report a type that no segment can hold. Here any text replaces it.
        let type =
            parameter.flatMap { edge.parameters[$0].type.segmentType } ?? .anyText
        // A rest is counted, and the parameters of an optional pattern are ordered among themselves.
        let isOwn = isRest || edge.expansions.count { $0.pattern == edge.expansions[expansion].pattern } > 1
        let key = CaptureKey(
            state: state,
            type: type,
            compound: compound?.signature,
            isRest: isRest,
            edge: isOwn ? index : nil
        )
        if let known = captures[key] {
            let capture = states[state].captures[known]
            // One edge represents all, independent of the order of the file and the names of the routes.
            if graph.text(ofExpansion: expansion, index).bytewise
                < graph.text(ofExpansion: capture.expansion, capture.edge).bytewise
            {
                states[state].captures[known].edge = index
                states[state].captures[known].expansion = expansion
                states[state].captures[known].parameter = parameter
                states[state].captures[known].compound = compound
            }
            return capture.next
        }
        let next = addState()
        captures[key] = states[state].captures.count
        let compoundNumber = compound.map { number(of: $0) } ?? -1
        states[state].captures
            .append(
                MatchingAutomaton.Capture(
                    edge: index,
                    expansion: expansion,
                    parameter: parameter,
                    type: type,
                    compound: compound,
                    compoundNumber: compoundNumber,
                    isRest: isRest,
                    next: next
                )
            )
        return next
    }

    private mutating func number(of compound: CompoundSegment) -> Int {
        let number = compoundNumbers[compound.signature] ?? compoundNumbers.count
        compoundNumbers[compound.signature] = number
        return number
    }

    // MARK: Order

    /// Sorts the most specific parameter first, and the rest in an order independent of the file and of names.
    private mutating func sortChildren() {
        for state in states.indices { states[state].literals.sort { $0.bytewise < $1.bytewise } }
        for state in states.indices where states[state].captures.count > 1 {
            let ranked = states[state].captures
                .map { capture in
                    (
                        key:
                            "\(capture.compound?.expectation ?? capture.type.expectation)\n\(graph.text(ofExpansion: capture.expansion, capture.edge))",
                        capture
                    )
                }
                .sorted { left, right in
                    let (one, other) = (left.1, right.1)
                    return (one.specificity, left.key.bytewise, one.edge, one.expansion)
                        < (other.specificity, right.key.bytewise, other.edge, other.expansion)
                }
            states[state].captures = order(ranked.map { $0.1 })
            for index in states[state].captures.indices.dropLast() {
                states[state].captures[index].isLastOfRank =
                    states[state].captures[index].specificity < states[state].captures[index + 1].specificity
            }
            joinPatterns(of: StateIndex(state))
        }
    }

    /// Joins the patterns that compete in a state into one automaton.
    private mutating func joinPatterns(of state: StateIndex) {
        var patterns: [[TextPattern.Element]] = []
        for index in states[state].captures.indices {
            guard states[state].captures[index].compound == nil,
                let elements = states[state].captures[index].type.patternElements
            else { continue }
            states[state].captures[index].pattern = patterns.count
            patterns.append(elements)
        }
        guard patterns.count > 1 else { return }
        let automaton = PatternAutomaton(patterns)
        states[state].patterns = automaton
        guard automaton.weight > PatternAutomaton.maximumWeight, let capture = states[state].captures.last else {
            return
        }
        patternIssues.report(
            .tooLarge,
            at: graph.edges[capture.edge].location,
            message:
                "The patterns that compete at one place have \(automaton.weight) places for a character; at most "
                + "\(PatternAutomaton.maximumWeight) are read at once.",
            hint: "Put a literal segment before the parameters, or make the patterns shorter."
        )
    }

    /// Orders the parameters of one pattern after the parameters that precede them, present before absent.
    private func order(_ captures: [MatchingAutomaton.Capture]) -> [MatchingAutomaton.Capture] {
        var captures = captures
        let byEdge = Dictionary(grouping: captures.indices) { captures[$0].edge }
        for indexes in byEdge.values where indexes.count > 1 {
            for later in indexes {
                captures[later].predecessors = indexes.filter { earlier in
                    earlier != later && captures[earlier].specificity >= captures[later].specificity
                        && pattern(captures[earlier]) == pattern(captures[later])
                        && captures[earlier].expansion < captures[later].expansion
                }
                for earlier in captures[later].predecessors {
                    captures[earlier].isOrdered = true
                    captures[later].isOrdered = true
                }
            }
        }
        return captures
    }

    private func pattern(_ capture: MatchingAutomaton.Capture) -> Int {
        graph.edges[capture.edge].expansions[capture.expansion].pattern
    }
}
