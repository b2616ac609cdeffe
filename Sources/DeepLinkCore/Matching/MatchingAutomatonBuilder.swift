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
    private var chains: [[Int]] = []
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
            builder.chains.append([initial])
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
        for index in graph.opens(node) where graph.edges[index].queryKey == nil {
            guard chains.count <= Self.maximumChainCount, containers.count <= Self.maximumNesting else {
                return report(
                    .tooLarge,
                    at: graph.edges[index].location,
                    "The catalog has more than \(Self.maximumChainCount) paths, counting containers once for each "
                        + "opener, or more than \(Self.maximumNesting) containers inside each other.",
                    hint: "Open large containers from fewer routes."
                )
            }
            let edge = graph.edges[index]
            let continues = graph.routes[edge.child].opens.contains { graph.edges[$0].queryKey == nil }
            if edge.isContainer, continues {
                add(opensOf: edge.child, behind: containers + [index], to: root)
            } else {
                insert(containers + [index], edge, at: root)
            }
        }
    }

    /// Reports a fault of the whole catalog once.
    private mutating func report(_ code: CatalogIssue.Code, at place: SourceLocation, _ message: String, hint: String) {
        guard !issues.contains(where: { $0.code == code }) else { return }
        issues.append(CatalogIssue(code, at: place, message, hint: hint))
    }

    private mutating func insert(_ chain: [Int], _ edge: Edge, at root: Int) {
        var state = root
        for (segment, parameter) in zip(edge.segments, edge.segmentParameters) {
            if case .literal(let text) = segment {
                state = child(of: state, for: text)
            } else if let parameter {
                let next = addState()
                states[state].captures
                    .append(
                        MatchingAutomaton.Capture(
                            edge: chain[chain.count - 1],
                            parameter: parameter,
                            type: edge.parameters[parameter].type,
                            next: next
                        )
                    )
                state = next
            }
        }
        if let other = states[state].chain {
            reportAmbiguity(chains[other], chain)
        } else {
            states[state].chain = chains.count
        }
        chains.append(chain)
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
    private mutating func sortChildren() {
        for state in states.indices { states[state].literals.sort() }
        for state in states.indices where states[state].captures.count > 1 {
            states[state].captures
                .sort { left, right in
                    let names = [left, right].map { graph.routes[graph.edges[$0.edge].child].name }
                    return (Specificity(left.type), names[0]) < (Specificity(right.type), names[1])
                }
        }
    }

    // MARK: Ambiguity

    /// Looks for a text that leads from two states to two ends by equally specific steps.
    private mutating func checkOverlap(_ left: Int, _ right: Int) {
        guard issues.count < Self.maximumAmbiguityCount else { return }
        if left != right, let leftChain = states[left].chain, let rightChain = states[right].chain {
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
                switch TypeOverlap.exists(capture.type, other.type, budget: &overlapBudget) {
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

    private mutating func reportAmbiguity(_ left: [Int], _ right: [Int]) {
        let edges = [left, right].map { graph.edges[$0[$0.count - 1]] }.sorted { $0.location < $1.location }
        let names = edges.map { edge in
            "`\(graph.routes[edge.child].name)` (\(edge.isContainer ? "a container" : "/" + text(of: edge)))"
        }
        let issue = CatalogIssue(
            .ambiguousRoutes,
            at: edges[1].location,
            "Some link matches both \(names[0]) and \(names[1]), and neither is more specific.",
            hint: "Give one of them another literal segment, or narrow a parameter's type or pattern."
        )
        if !issues.contains(issue) { issues.append(issue) }
    }

    private func text(of edge: Edge) -> String { PathPattern(edge.segments).text }
}
