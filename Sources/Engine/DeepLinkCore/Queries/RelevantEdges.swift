/// The edges of a catalog that decide whether links to stacks of some routes resolve.
///
/// These are the edges between the routes themselves, the edges that some link to such a stack also matches up to any
/// of its segments, and the edges that open a route by themselves or by a query key. As long as these edges and the
/// origins are unchanged, so is the answer for each such stack, whatever its parameters are.
///
/// The search walks two copies of the catalog at once. One follows the routes and the other every path, and both read
/// segments that some text has in common.
struct RelevantEdges {
    /// A place among the routes of the stack: before one, or within a path to it.
    private struct Own: Hashable {
        /// The number of the next route.
        let element: Int

        /// The next part of a path, or `nil` before all paths.
        let part: Part?
    }

    /// A place in the catalog: at a node, or within a path.
    private enum Other: Hashable {
        case node(Int)
        case part(Part)
    }

    /// A part of an edge's expansion.
    private struct Part: Hashable {
        let edge: EdgeIndex
        let expansion: Int
        let part: Int
    }

    private struct Pair: Hashable {
        let own: Own
        let other: Other
    }

    private let graph: CatalogGraph

    /// The edges that may open each route of the stack.
    private let ways: [[EdgeIndex]]

    private var edges: Set<EdgeIndex> = []
    private var known: Set<Pair> = []
    private var waiting: [Pair] = []

    /// Finds the edges for the routes and presentations of a stack.
    ///
    /// - Returns: the edges, in the order of the catalog. `nil` if a route is missing, or no edge opens it in this way:
    ///   such a stack has no link, whatever its parameters are.
    /// - Complexity: linear in the edges of the nodes that the links pass.
    static func find(_ stack: [Destination], in graph: CatalogGraph) -> [EdgeIndex]? {
        var search = RelevantEdges(stack, in: graph)
        guard !search.ways.contains(where: { $0.isEmpty }) else { return nil }
        search.run()
        return search.edges.sorted { $0.number < $1.number }
    }

    private init(_ stack: [Destination], in graph: CatalogGraph) {
        self.graph = graph
        let nodes = stack.map { destination in
            graph.routes.firstIndex { $0.name.bytewise == destination.route.bytewise }
        }
        ways = stack.enumerated()
            .map { place, destination in
                // A route lies above its parent, maybe with the parent's initial child in between.
                ([graph.entryNode] + nodes[..<place].compactMap { $0 })
                    .flatMap { graph.edges(from: $0, to: destination.route) }
                    .filter { graph.edges[$0].presentation == destination.presentation && graph.edges[$0].isLinkable }
            }
        edges = Set(ways.joined())
        for node in nodes.compactMap({ $0 }) {
            edges.formUnion(graph.queryEdges[node])
            if let initial = graph.initials[node] { edges.insert(initial) }
        }
        if let initial = graph.initials[graph.entryNode] { edges.insert(initial) }
    }

    private mutating func run() {
        add(Own(element: 0, part: nil), .node(graph.entryNode))
        while let pair = waiting.popLast() {
            guard let part = pair.own.part else {
                follow(pair)
                continue
            }
            switch pair.other {
            case .node(let node): open(node, beside: pair.own, reading: part)
            case .part(let other): read(part, and: other, element: pair.own.element)
            }
        }
    }

    private mutating func add(_ own: Own, _ other: Other) {
        let pair = Pair(own: own, other: other)
        if known.insert(pair).inserted { waiting.append(pair) }
    }

    /// Enters the paths to the next route of the stack.
    private mutating func follow(_ pair: Pair) {
        let element = pair.own.element
        guard element < ways.count else {
            // The link ends here, on a container if the catalog has one.
            if case .node(let node) = pair.other { open(node, beside: pair.own, reading: nil) }
            return
        }
        for way in ways[element] {
            let edge = graph.edges[way]
            // A query key opens it, or the parent by itself.
            if edge.expansions.isEmpty || edge.isInitial { add(Own(element: element + 1, part: nil), pair.other) }
            for (number, expansion) in edge.expansions.enumerated() {
                let part = expansion.parts.isEmpty ? nil : Part(edge: way, expansion: number, part: 0)
                add(Own(element: part == nil ? element + 1 : element, part: part), pair.other)
            }
        }
    }

    /// Enters the paths from a node.
    private mutating func open(_ node: Int, beside own: Own, reading part: Part?) {
        for way in graph.opens(node) where graph.edges[way].takesPath {
            let edge = graph.edges[way]
            for (number, expansion) in edge.expansions.enumerated() {
                if expansion.parts.isEmpty {
                    reach(way, beside: own)
                } else if let part {
                    let first = Part(edge: way, expansion: number, part: 0)
                    if overlap(part, first) { add(own, .part(first)) }
                }
            }
        }
    }

    /// Reads a segment in both.
    private mutating func read(_ own: Part, and other: Part, element: Int) {
        guard overlap(own, other) else { return }
        var nexts = [next(own).map { Own(element: element, part: $0) } ?? Own(element: element + 1, part: nil)]
        if expansionPart(own).isRest { nexts.append(Own(element: element, part: own)) }
        for next in nexts {
            if expansionPart(other).isRest { add(next, .part(other)) }
            if let part = self.next(other) { add(next, .part(part)) } else { reach(other.edge, beside: next) }
        }
    }

    private mutating func reach(_ edge: EdgeIndex, beside own: Own) {
        edges.insert(edge)
        let child = graph.edges[edge].child
        if let initial = graph.initials[child] { edges.insert(initial) }
        add(own, .node(child))
    }

    private func expansionPart(_ part: Part) -> PathExpansion.Part {
        graph.edges[part.edge].expansions[part.expansion].parts[part.part]
    }

    private func next(_ part: Part) -> Part? {
        let count = graph.edges[part.edge].expansions[part.expansion].parts.count
        return part.part + 1 < count ? Part(edge: part.edge, expansion: part.expansion, part: part.part + 1) : nil
    }

    /// Returns whether some segment may fit both parts.
    ///
    /// Parameters are assumed to have a text in common.
    private func overlap(_ left: Part, _ right: Part) -> Bool {
        switch (expansionPart(left), expansionPart(right)) {
        case (.literal(let one), .literal(let other)): one.bytewise == other.bytewise
        case (.literal(let text), .parameter(let index)): accepts(text, parameter: index, of: right.edge)
        case (.parameter(let index), .literal(let text)): accepts(text, parameter: index, of: left.edge)
        case (.literal(let text), .compound(let segment)), (.compound(let segment), .literal(let text)):
            segment.mayAccept(text)
        default: true
        }
    }

    private func accepts(_ text: String, parameter: Int, of edge: EdgeIndex) -> Bool {
        guard let type = graph.edges[edge].parameters[parameter].type.segmentType else { return true }
        return type.parse(text.utf8) != nil
    }
}

extension RouteCatalog {
    /// Returns the edges that decide whether links to stacks of some routes and presentations resolve.
    ///
    /// - Returns: the edges, in the order of the catalog. `nil` if no such link exists, whatever the parameters are.
    /// - Complexity: linear in the edges of the nodes that the links pass.
    package func decidingEdges(of stack: [Destination]) -> [Edge]? {
        RelevantEdges.find(stack, in: graph)?.map { graph.edges[$0] }
    }
}
