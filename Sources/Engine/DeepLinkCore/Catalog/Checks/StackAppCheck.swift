/// The check that no stack has two apps, and that no gate sends the users of one app to another.
///
/// A search follows every edge from `entry`, linkable or not, because the app's own stacks are stacks too. Its states are
/// the routes, each with the app of the stack up to it, so that the search is linear in the edges times the apps.
struct StackAppCheck {
    private let graph: CatalogGraph
    private let definition: CatalogDefinition

    /// The gate whose level or grant is followed, or `nil` for all stacks.
    private let gate: Gate?

    /// The states reached, in the order of a breadth-first search, and the step by which each is reached first.
    private var states: [State] = []
    private var known: [State: Step] = [:]
    private(set) var issues: [CatalogIssue] = []

    /// The end of a stack without the initial children of its last route.
    private struct State: Hashable {
        /// The last route, or the node of `entry`.
        let node: Int

        /// The app of the stack.
        let app: AppIndex?

        /// Whether a link's destination requires what the gate gives.
        let needsGate: Bool
    }

    /// A step of the search.
    private struct Step {
        /// The state before.
        let from: State

        /// The routes that follow it, the inserted initial children first.
        let routes: [String]
    }

    /// Returns the issues of a catalog whose initial children end.
    ///
    /// - Complexity: linear in the edges times the apps, once for all stacks and once for each gate in one app alone. A
    ///   catalog without `app` costs one pass over its edges.
    static func issues(of definition: CatalogDefinition, gates: [Gate], in graph: CatalogGraph) -> [CatalogIssue] {
        guard graph.edges.contains(where: { $0.app != nil }) else { return [] }
        var check = StackAppCheck(of: definition, in: graph)
        check.search()
        return gates.reduce(check.issues) { issues, gate in
            guard gate.stack.contains(where: { graph.edges[$0.edge].app != nil }) else { return issues }
            var check = StackAppCheck(of: definition, in: graph, following: gate)
            check.search()
            return issues + check.issues
        }
    }

    private init(of definition: CatalogDefinition, in graph: CatalogGraph, following gate: Gate? = nil) {
        self.graph = graph
        self.definition = definition
        self.gate = gate
    }

    private mutating func search() {
        let start = State(node: graph.entryNode, app: nil, needsGate: false)
        known[start] = Step(from: start, routes: [])
        states.append(start)
        var next = 0
        // One conflict of an edge names it, and one route that needs a gate names the gate.
        var reported: Set<Int> = []
        while next < states.count {
            let state = states[next]
            next += 1
            let chain = initialChain(of: state.node)
            let chainApp = chain.lazy.compactMap { [graph] in graph.edges[$0].app }.first
            let chainNeedsGate = chain.contains { requiresGate(graph.edges[$0]) }
            for index in graph.opens(state.node) {
                let edge = graph.edges[index]
                let isAbove = stands(edge, above: chain)
                let below = isAbove ? chain : []
                let app = state.app ?? (isAbove ? chainApp : nil)
                if let own = edge.app, let app, own != app, gate == nil, reported.insert(index.number).inserted {
                    report(edge, of: own, over: app, after: state, below)
                }
                let needsGate =
                    edge.isLinkable && (state.needsGate || isAbove && chainNeedsGate || requiresGate(edge))
                let reached = State(node: edge.child, app: edge.app ?? app, needsGate: needsGate)
                guard known[reached] == nil else { continue }
                known[reached] = Step(from: state, routes: (below + [index]).map { graph.edges[$0].routeName })
                states.append(reached)
                if needsGate, canEnd(edge), issues.isEmpty { check(reached) }
            }
        }
    }

    /// Returns the initial children that are inserted over a route, from the first on, none over `entry`.
    private func initialChain(of node: Int) -> [EdgeIndex] {
        guard node != graph.entryNode else { return [] }
        var chain: [EdgeIndex] = []
        // Longer chains are an issue of their own.
        while chain.count <= GraphChecks.maximumInitialCount,
            let next = graph.initials[chain.last.map { graph.packed[$0].child } ?? node]
        {
            chain.append(next)
        }
        return chain
    }

    /// Returns whether an edge's destination stands over the initial children of its parent.
    ///
    /// A tab, and the initial child itself, stand in their place.
    private func stands(_ edge: Edge, above chain: [EdgeIndex]) -> Bool {
        guard let first = chain.first else { return false }
        return edge.presentation != .tab && edge.child != graph.packed[first].child
    }

    // MARK: Gates

    private func requiresGate(_ edge: Edge) -> Bool {
        gate?.gives.isMissing(in: .none, for: edge.requirements.access) ?? false
    }

    /// Returns whether a link may end on an edge's destination.
    ///
    /// A container continues to the routes that it opens, and a route with an initial child ends on that.
    private func canEnd(_ edge: Edge) -> Bool {
        guard graph.initials[edge.child] == nil else { return false }
        let takesNoSegment = !edge.expansions.isEmpty && edge.expansions.allSatisfy { $0.parts.isEmpty }
        return !takesNoSegment || !graph.continues[edge.child]
    }

    private mutating func check(_ state: State) {
        guard let gate, let own = gate.stack.compactMap({ graph.edges[$0.edge].app }).first, own != state.app,
            let path = definition.gates.first(where: { $0.gives == gate.gives })?.path
        else { return }
        let given = gate.gives.text(in: definition.levels, definition.grants)
        let stack = state.app.map { "belongs to the app `\(name($0))`" } ?? "belongs to every app"
        issues.report(
            .twoApps,
            at: path.location,
            message:
                "The gate of `\(given)`, `\(path.value)`, is in the app `\(name(own))`, and \(way(to: state)), which "
                + "needs it, \(stack).",
            hint: "Send users to a route without `app`, or say `app: \(name(own))` of what needs `\(given)`."
        )
    }

    // MARK: Words

    private mutating func report(
        _ edge: Edge,
        of own: AppIndex,
        over app: AppIndex,
        after state: State,
        _ below: [EdgeIndex]
    ) {
        let routes = below.map { graph.edges[$0].routeName } + [edge.routeName]
        issues.report(
            .twoApps,
            at: edge.location,
            message: "A stack may have two apps: `\(edge.routeName)` is in `\(name(own))`, and below it is a route of "
                + "`\(name(app))`: \(way(to: state, routes)).",
            hint: "Remove `app` from what both apps have, or let a route of `\(name(own))` open `\(edge.routeName)`."
        )
    }

    private func name(_ app: AppIndex) -> String { definition.apps.name(of: app) }

    /// Returns the names of the routes up to a state, and then some more, with the middle of a long way left out.
    private func way(to state: State, _ more: [String] = []) -> String {
        var steps: [[String]] = [more]
        var state = state
        while state.node != graph.entryNode, let step = known[state] {
            steps.append(step.routes)
            state = step.from
        }
        let names = steps.reversed().joined().map { "`\($0)`" }
        guard names.count > Self.maximumNameCount else { return names.joined(separator: " › ") }
        let half = Self.maximumNameCount / 2
        return (names.prefix(half) + ["…"] + names.suffix(half)).joined(separator: " › ")
    }

    /// The maximum number of routes that a message names.
    private static let maximumNameCount = 8
}
