/// The layers of gates that are presented over the app's current stack.
///
/// A layer is the end of the gate's stack: the last destination that isn't pushed, presented as the gate declares
/// (`over`), and all destinations above it.
enum GateLayers {
    /// Returns a graph with the edges that present gates over the app's current stack, and the gates with their layers.
    ///
    /// - Complexity: linear in the edges if a gate has a layer, otherwise linear in the gates.
    static func add(to gates: [Gate], in graph: CatalogGraph) -> (graph: CatalogGraph, gates: [Gate]) {
        guard gates.contains(where: { $0.over != nil }) else { return (graph, gates) }
        var edges: [GateEdge] = []
        var gates = gates
        for place in gates.indices {
            guard let over = gates[place].over?.value else { continue }
            let stack = gates[place].stack
            let start = stack.lastIndex { graph.edges[$0.edge].presentation != .push } ?? stack.startIndex
            guard start < stack.endIndex else { continue }
            let edge = GateEdge(
                declared: stack[start].edge,
                presentation: over,
                openers: StackReader.openers(above: stack[...start], in: graph)
            )
            let number = edges.firstIndex { $0.declared == edge.declared && $0.presentation == over } ?? edges.count
            if number == edges.count { edges.append(edge) }
            edges[number].openers += edge.openers.filter { !edges[number].openers.contains($0) }
            gates[place].layer =
                [
                    StackElement(
                        edge: EdgeIndex(graph.edges.count + number),
                        arguments: stack[start].arguments,
                        origin: stack[start].origin
                    )
                ] + stack[(start + 1)...]
        }
        return (CatalogGraph(graph, adding: edges), gates)
    }

    /// Returns an issue for each gate with a layer that may contain a destination without a value that it has on every
    /// declared path.
    ///
    /// A layer stands over any destination, so it can inherit only its own values, and optional ones.
    ///
    /// - Complexity: linear in the edges for each route that values are inherited from.
    static func issues(of gates: [Gate], in graph: CatalogGraph) -> [CatalogIssue] {
        guard !graph.gateEdges.isEmpty else { return [] }
        let needs = inheritedValues(in: graph)
        guard !needs.isEmpty else { return [] }
        var issues: [Int: CatalogIssue] = [:]
        for source in Set(needs.map { $0.source }).sorted() {
            for (place, gate) in gates.enumerated() where issues[place] == nil {
                guard let location = gate.over?.location, let bottom = gate.layer.first,
                    let starts = graph.gateEdge(bottom.edge)?.openers
                else { continue }
                let declared = graph.declared(bottom.edge)
                let reached =
                    graph.packed[declared].child == source ? [] : reached(from: starts, without: source, in: graph)
                let need = needs.first { need in
                    need.source == source && (need.edge == declared || reached.contains(graph.packed[need.edge].parent))
                }
                guard let need else { continue }
                let route = graph.edges[need.edge].routeName
                issues[place] = CatalogIssue(
                    .invalidValue,
                    at: location,
                    message: "Over any screen, `\(route)` may have no `\(graph.name(source))` below it, "
                        + "from which it inherits `\(need.parameter)`.",
                    hint: "Send users to a screen that inherits no value, or leave `over` out."
                )
            }
        }
        return issues.sorted { $0.key < $1.key }.map { $0.value }
    }

    /// Returns a warning if a gate is presented over the app's current stack, in a catalog that lists few ways between
    /// screens.
    ///
    /// The current stack is read as far as the catalog opens its destinations. The gate dismisses the others, and once
    /// it is closed they do not return. Apps of some size have screens that many others open, such as a profile. A
    /// catalog of as many screens without one probably lists the ways of links alone. The warning names the first route
    /// that requires what such a gate gives.
    ///
    /// - Complexity: linear in the edges, and constant without gates over the current stack.
    static func warning(
        of gates: [Gate],
        in graph: CatalogGraph,
        _ definition: CatalogDefinition
    ) -> CatalogIssue? {
        guard !graph.gateEdges.isEmpty else { return nil }
        let edges = graph.edges[..<graph.entry.lowerBound]
        var openers: [Int: Set<Int>] = [:]
        for edge in edges where edge.presentation == .push || edge.presentation.isLayer {
            openers[edge.child, default: []].formUnion(edge.parent == edge.child ? [] : [edge.parent])
        }
        guard openers.count >= 8, openers.values.allSatisfy({ $0.count <= 2 }) else { return nil }
        for gate in gates where !gate.layer.isEmpty {
            let guarded = edges.first { gate.gives.isMissing(in: .none, for: $0.requirements.access) }
            guard let guarded else { continue }
            return CatalogIssue(
                .gateClosesScreens,
                at: graph.routes[guarded.child].location,
                message:
                    "`\(guarded.routeName)` requires `\(gate.gives.text(in: definition.levels, definition.grants))`, "
                    + "whose gate is presented over what the app shows, but no screen of this catalog is opened by more "
                    + "than two others.",
                hint: "The gate closes a screen that nothing in the catalog opens where the app shows it. Put screens "
                    + "that any screen opens into `groups`, and declare other ways of the app with `linkable: false`."
            )
        }
        return nil
    }

    /// A value that a destination inherits on every declared path to it.
    private struct InheritedValue {
        let edge: EdgeIndex
        let parameter: String

        /// The route that the value comes from.
        let source: Int
    }

    private static func inheritedValues(in graph: CatalogGraph) -> [InheritedValue] {
        let routes = Dictionary(positionsOf: graph.routes.lazy.map { $0.name })
        return graph.edges.indices.prefix(graph.entry.upperBound).map { EdgeIndex($0) }
            .flatMap { index in
                graph.edges[index].parameters
                    .compactMap { parameter -> InheritedValue? in
                        guard parameter.isRequired, let route = parameter.inheritance?.route,
                            let source = routes[route.bytewise]
                        else { return nil }
                        return InheritedValue(edge: index, parameter: parameter.name, source: source)
                    }
            }
    }

    /// Returns the nodes that are reachable from the start nodes without passing the excluded one, including the start
    /// nodes.
    private static func reached(from starts: [Int], without excluded: Int, in graph: CatalogGraph) -> Set<Int> {
        Set(
            starts.filter { $0 != excluded }
                .reaching { graph.opens($0).map { graph.packed[$0].child }.filter { $0 != excluded } }
        )
    }
}
