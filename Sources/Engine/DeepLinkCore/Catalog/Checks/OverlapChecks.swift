/// The search for texts that match two chains by equally specific steps, so that no rule could choose between them.
struct OverlapChecks {
    /// The maximum number of reported ambiguities: more would repeat the same.
    private static let maximumIssueCount = 100

    private let graph: CatalogGraph
    private let interruption: Interruption
    private(set) var issues: [CatalogIssue] = []

    /// The ordered pairs of compound segments, by their numbers: the first is more specific than the second.
    private(set) var narrower: Set<CompoundOrder> = []

    /// The compared pairs of compound segments, by their numbers.
    private var compared: Set<CompoundOrder> = []

    /// The remaining budget of steps for comparing parameters.
    private var budget = 1_000_000

    init(_ graph: CatalogGraph, interruption: Interruption) {
        self.graph = graph
        self.interruption = interruption
    }

    /// Compares all continuations of one state with each other.
    mutating func check(
        _ root: StateIndex,
        states: [MatchingAutomatonBuilder.State],
        child: (StateIndex, String) -> StateIndex?,
        chains: [MatchingAutomaton.Chain]
    ) {
        var pairs = [(root, root)]
        while let (left, right) = pairs.popLast() {
            guard issues.count < Self.maximumIssueCount else { return }
            if left != right, let leftChain = states[left].chain, let rightChain = states[right].chain {
                report(chains[leftChain], chains[rightChain])
            }
            for text in states[left].literals {
                if let leftNext = child(left, text), let rightNext = child(right, text) {
                    pairs.append((leftNext, rightNext))
                }
            }
            let others = states[right].captures
            for (index, capture) in states[left].captures.enumerated() {
                for (otherIndex, other) in others.enumerated() where left != right || otherIndex >= index {
                    budget -= 1
                    guard !interruption.isDue else {
                        issues = [.givenUp(at: graph.edges[other.edge].location)]
                        return
                    }
                    switch left == right && index == otherIndex
                        ? true : TypeOverlap.exists(capture, other, budget: &budget)
                    {
                    case true? where isOrdered(capture, other): continue
                    case true?: pairs.append((capture.next, other.next))
                    case false? where budget > 0: continue
                    default: return reportExcess(at: other)
                    }
                }
            }
        }
    }

    /// Returns whether one of two compound segments is more specific than the other.
    private mutating func isOrdered(_ left: MatchingAutomaton.Capture, _ right: MatchingAutomaton.Capture) -> Bool {
        guard let one = left.compound, let other = right.compound, left.compoundNumber != right.compoundNumber else {
            return false
        }
        let order = CompoundOrder(narrow: left.compoundNumber, wide: right.compoundNumber)
        if compared.insert(order).inserted {
            compared.insert(order.reversed)
            if TypeOverlap.isNarrower(one, than: other, budget: &budget) {
                narrower.insert(order)
            } else if TypeOverlap.isNarrower(other, than: one, budget: &budget) {
                narrower.insert(order.reversed)
            }
        }
        return narrower.contains(order) || narrower.contains(order.reversed)
    }

    private mutating func reportExcess(at capture: MatchingAutomaton.Capture) {
        issues.removeAll { $0.code == .tooLarge }
        issues.report(
            .tooLarge,
            at: graph.edges[capture.edge].location,
            message: "Too many parameters, or too long patterns, compete at one place to be distinguished.",
            hint: "Put a literal segment before the parameters, or shorten the lengths in `pattern`."
        )
    }

    /// Reports two chains that one text can match.
    ///
    /// Chains that differ at edges between the same two routes are exempt: the order of those edges decides.
    mutating func report(_ left: MatchingAutomaton.Chain, _ right: MatchingAutomaton.Chain) {
        guard issues.count < Self.maximumIssueCount, !areAlternatives(left, right) else { return }
        let chains = [left, right].sorted { location($0) < location($1) }
        let names = chains.map { chain in
            let edge = graph.edges[chain.edges[chain.edges.count - 1]]
            let text = edge.patterns.first { !$0.isContainer }.map { "/" + $0.text } ?? "a container"
            return "`\(graph.routes[edge.child].name)` (\(text))"
        }
        let issue = CatalogIssue(
            .ambiguousRoutes,
            at: location(chains[1]),
            message: "Some link matches both \(names[0]) and \(names[1]), and neither is more specific.",
            hint: "Give one of them another literal segment, or narrow a parameter's type or pattern."
        )
        // Edges of one group are ambiguous in each of its parents.
        if !issues.contains(issue) { issues.append(issue) }
    }

    /// Returns whether two chains are expansions of one edge, or differ only in their last edges, which open the same
    /// route.
    ///
    /// The path continues in the same way after both.
    private func areAlternatives(_ left: MatchingAutomaton.Chain, _ right: MatchingAutomaton.Chain) -> Bool {
        left.edges.count == right.edges.count && left.edges.dropLast() == right.edges.dropLast()
            && left.node == right.node
    }

    private func location(_ chain: MatchingAutomaton.Chain) -> SourceLocation {
        graph.edges[chain.edges[chain.edges.count - 1]].location
    }
}

/// Two compound segments, by their numbers, the first more specific than the second.
struct CompoundOrder: Hashable {
    let narrow: Int
    let wide: Int

    /// The same two in the other order.
    var reversed: CompoundOrder { CompoundOrder(narrow: wide, wide: narrow) }
}
