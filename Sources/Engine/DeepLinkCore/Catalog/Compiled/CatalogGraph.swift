/// A catalog's routes and edges with all names resolved.
final class CatalogGraph: Sendable {
    /// The routes, in the order of the file.
    let routes: [Route]

    /// The edges, grouped by parent: `entry` comes last, followed by ``gateEdges``.
    let edges: [Edge]

    /// The edges that present gates over the app's current stack, which follow the edges of `entry` in ``edges``.
    let gateEdges: [GateEdge]

    /// The frequently read fields of each edge.
    let packed: [PackedEdge]

    /// The precomputed texts of the edges, one after another, with their ranges in ``PackedEdge``.
    let texts: [UInt8]

    /// The name of each edge's ``PackedEdge/value``.
    private let valueNames: [String]

    /// The edges at which a link may begin.
    let entry: Range<Int>

    /// The initial edge of each node, `entry` last.
    let initials: [EdgeIndex?]

    /// The edges of each route that a query key opens.
    let queryEdges: [[EdgeIndex]]

    /// The edges that a query key opens, by the parent route and the key.
    private let queryEdgesByKey: [QueryKey: [EdgeIndex]]

    private struct QueryKey: Hashable {
        let route: Int
        let key: ByteText
    }

    /// The expansions that share their segments with another one in the same list of edges.
    private let sharedExpansions: SharedExpansions

    /// The alternatives of each edge: all edges between the same two routes, in the order declared, empty for a single
    /// edge.
    let alternatives: [[EdgeIndex]]

    /// Whether the path can continue from each route.
    let continues: [Bool]

    /// The index of each route in ``routes``.
    private let indexes: [ByteText: Int]

    /// All edges between two nodes, in the order declared.
    private let edgesBetween: [Ends: [EdgeIndex]]

    private struct Ends: Hashable {
        let parent: Int
        let child: Int
    }

    /// The node number of `entry`: one past the last route.
    var entryNode: Int { routes.count }

    /// Returns the outgoing edges of a node.
    func opens(_ node: Int) -> some Sequence<EdgeIndex> {
        (node == entryNode ? entry : routes[node].opens).lazy.map { EdgeIndex($0) }
    }

    /// Returns the edges by which a node opens the route with a name.
    ///
    /// - Complexity: independent of the number of the node's edges.
    func edges(from node: Int, to route: String) -> [EdgeIndex] {
        guard let child = indexes[route.bytewise] else { return [] }
        return edgesBetween[Ends(parent: node, child: child)] ?? []
    }

    /// Returns the edges by which a route opens others if the query has a key.
    func queryEdges(from route: Int, openedBy key: ByteText) -> [EdgeIndex] {
        queryEdgesByKey[QueryKey(route: route, key: key)] ?? []
    }

    /// Returns equally specific expansions: one of each edge between the same two routes that links can take, in the
    /// order of the list.
    func expansions(like expansion: Int, of edge: EdgeIndex) -> [(edge: EdgeIndex, expansion: Int)] {
        sharedExpansions.all(like: expansion, of: edge)
    }

    /// Returns whether a node opens a route.
    func opens(_ child: Int, from node: Int) -> Bool { edgesBetween[Ends(parent: node, child: child)] != nil }

    /// Returns the name of an edge's ``PackedEdge/value``.
    @inline(__always)
    func valueName(of edge: EdgeIndex) -> String { valueNames[edge.number] }

    /// Returns the name of a node, for messages.
    func name(_ node: Int) -> String { node == entryNode ? "entry" : routes[node].name }

    /// Returns the segments of an edge's expansion, each with the texts that it accepts.
    ///
    /// The text is equal for expansions that differ only in the names of their parameters.
    func text(ofExpansion expansion: Int, _ edge: EdgeIndex) -> String {
        let edge = edges[edge]
        return edge.expansions[expansion].parts
            .map { part in
                switch part {
                case .literal(let text): text
                case .parameter(let index): "{\(edge.parameters[index].type.expectation)}"
                case .rest(let index): "{\(edge.parameters[index].type.expectation)*}"
                case .compound(let segment): segment.expectation
                case .wildcard: "{text}"
                case .wildcardRest: "{values, each text*}"
                }
            }
            .joined(separator: "/")
    }

    /// Resolves the names of a definition, and reports unknown names.
    ///
    /// `meant` collects the routes that misspelt names were meant for, so that they are not reported as unreachable
    /// too.
    init(
        _ definition: CatalogDefinition,
        reporting issues: inout [CatalogIssue],
        meant: inout [Int]
    ) {
        var indexes: [ByteText: Int] = [:]
        for (index, route) in definition.routes.enumerated() where indexes[route.name.value.bytewise] == nil {
            indexes[route.name.value.bytewise] = index
        }
        let definition = InheritanceResolver.resolve(definition, indexes: indexes, reporting: &issues)
        var edges: [Edge] = []
        var routes: [Route] = []
        func append(_ opens: [EdgeDefinition], parent: Int) -> Range<Int> {
            let start = edges.count
            for definitionOfEdge in opens {
                let name = definitionOfEdge.route
                guard let child = indexes[name.value.bytewise] else {
                    let near = SpellingSuggestion.closest(to: name.value, among: indexes.keys.lazy.map { $0.string })
                    if let near, let route = indexes[near.bytewise] { meant.append(route) }
                    issues.report(
                        .unknownRoute,
                        at: name.location,
                        message: "There is no route `\(name.value)`.",
                        hint: near.map { "Did you mean `\($0)`?" } ?? "Declare it under `routes`."
                    )
                    continue
                }
                edges.append(
                    Edge(parent: parent, child: child, definition: definitionOfEdge, route: definition.routes[child])
                )
            }
            return start..<edges.count
        }
        for (index, route) in definition.routes.enumerated() {
            routes.append(
                Route(
                    name: route.name.value,
                    description: route.description,
                    requirements: route.requirements,
                    app: route.app,
                    address: route.address.value,
                    aliases: route.aliases.map { $0.value },
                    parameters: Edge.parameters(route.parameters, in: route.address.value.patterns)
                        + [route.link?.value].compactMap { $0 },
                    link: route.link?.value,
                    page: route.page,
                    isSigned: route.isSigned,
                    shortLink: route.shortLink,
                    opens: append(route.opens, parent: index),
                    groups: route.groups,
                    location: route.name.location,
                    keys: route.keys
                )
            )
        }
        entry = append(definition.entry, parent: definition.routes.count)
        initials = (routes.map { $0.opens } + [entry])
            .map { range in
                range.first { edges[$0].isInitial }.map { EdgeIndex($0) }
            }
        queryEdges = routes.map { route in
            route.opens.map { EdgeIndex($0) }.filter { edges[$0].queryKey != nil && edges[$0].isLinkable }
        }
        var queryEdgesByKey: [QueryKey: [EdgeIndex]] = [:]
        for (route, list) in queryEdges.enumerated() {
            for index in list {
                guard let key = edges[index].queryKey else { continue }
                queryEdgesByKey[QueryKey(route: route, key: key.bytewise), default: []].append(index)
            }
        }
        self.queryEdgesByKey = queryEdgesByKey
        let edgesBetween = Dictionary(grouping: edges.indices.map { EdgeIndex($0) }) { index in
            Ends(parent: edges[index].parent, child: edges[index].child)
        }
        continues = routes.map { route in route.opens.contains { edges[$0].takesPath } }
        var alternatives = [[EdgeIndex]](repeating: [], count: edges.count)
        for list in edgesBetween.values where list.count > 1 {
            for index in list { alternatives[index] = list }
        }
        sharedExpansions = SharedExpansions(edges, lists: edgesBetween.values.filter { $0.count > 1 })
        var texts: [UInt8] = []
        var packed: [PackedEdge] = []
        packed.reserveCapacity(edges.count)
        for (index, edge) in edges.enumerated() {
            packed.append(
                PackedEdge(
                    edge,
                    childInitial: initials[edge.child],
                    isAlone: alternatives[index].isEmpty,
                    childHasQueries: !queryEdges[edge.child].isEmpty,
                    isSigned: routes[edge.child].isSigned
                        || edge.parameters.contains { parameter in
                            let below = parameter.inheritance.flatMap { indexes[$0.route.bytewise] }
                            return below.map { routes[$0].isSigned } ?? false
                        },
                    texts: &texts
                )
            )
        }
        valueNames = zip(packed, edges).map { $0.value == nil ? "" : $1.parameters[0].name }
        self.packed = packed
        self.texts = texts
        self.alternatives = alternatives
        self.edgesBetween = edgesBetween
        self.indexes = indexes
        self.edges = edges
        self.routes = routes
        gateEdges = []
    }

    /// Copies a graph without gate edges, and adds some.
    init(_ other: CatalogGraph, adding gateEdges: [GateEdge]) {
        var (edges, packed, texts) = (other.edges, other.packed, other.texts)
        for gateEdge in gateEdges {
            let packedEdge = other.packed[gateEdge.declared]
            let edge = Edge(other.edges[gateEdge.declared], over: gateEdge.presentation, from: other.entryNode)
            edges.append(edge)
            packed.append(
                PackedEdge(
                    edge,
                    childInitial: packedEdge.childInitial,
                    isAlone: true,
                    childHasQueries: packedEdge.childHasQueries,
                    isSigned: packedEdge.isSigned,
                    texts: &texts
                )
            )
        }
        self.edges = edges
        self.packed = packed
        self.texts = texts
        self.gateEdges = gateEdges
        valueNames = other.valueNames + gateEdges.map { other.valueName(of: $0.declared) }
        alternatives = other.alternatives + gateEdges.map { _ in [] }
        routes = other.routes
        entry = other.entry
        initials = other.initials
        queryEdges = other.queryEdges
        queryEdgesByKey = other.queryEdgesByKey
        sharedExpansions = other.sharedExpansions
        continues = other.continues
        indexes = other.indexes
        edgesBetween = other.edgesBetween
    }
}

extension CatalogGraph {
    /// The nodes with edges that may read the first segment of a path: `entry`, and the containers behind it.
    var firstNodes: [Int] {
        [entryNode].reaching { opens($0).filter { edges[$0].canTakeNoSegment }.map { edges[$0].child } }
    }
}

extension Sequence where Element: Hashable {
    /// Returns the elements and all that are reached from them step by step, in the order of a depth-first search.
    ///
    /// - Complexity: linear in the elements and the steps.
    package func reaching(_ next: (Element) -> [Element]) -> [Element] {
        var known: Set<Element> = []
        var todo = filter { known.insert($0).inserted }
        var reached: [Element] = []
        while let element = todo.popLast() {
            reached.append(element)
            todo += next(element).filter { known.insert($0).inserted }
        }
        return reached
    }
}

/// An index into one of the catalog's lists, which the compiler keeps apart from indexes into other lists.
///
/// At run time it is a plain number.
struct TypedIndex<Element>: Hashable, Sendable {
    /// The position in the list, from 0.
    let number: Int

    @inline(__always)
    init(_ number: Int) { self.number = number }

    /// Creates an index from a packed number.
    @inline(__always)
    init(_ number: Int32) { self.number = Int(number) }
}

extension Array {
    subscript(index: TypedIndex<Element>) -> Element {
        @inline(__always)
        get { self[index.number] }
        @inline(__always)
        _modify { yield &self[index.number] }
    }
}

extension TypedIndex: Comparable {
    /// Orders the indices as the list does.
    static func < (left: TypedIndex, right: TypedIndex) -> Bool { left.number < right.number }
}

/// The index of an edge of the catalog.
typealias EdgeIndex = TypedIndex<Edge>

/// The index of a state of the automaton.
typealias StateIndex = TypedIndex<MatchingAutomaton.State>

/// The index of a parameter that the automaton reads.
typealias CaptureIndex = TypedIndex<MatchingAutomaton.Capture>

/// The index of a chain of edges that the automaton accepts.
typealias ChainIndex = TypedIndex<MatchingAutomaton.Chain>

extension [PackedEdge] {
    subscript(index: EdgeIndex) -> PackedEdge {
        @inline(__always)
        get { self[index.number] }
    }
}

extension [[EdgeIndex]] {
    subscript(index: EdgeIndex) -> [EdgeIndex] {
        @inline(__always)
        get { self[index.number] }
        _modify { yield &self[index.number] }
    }
}

extension [MatchingAutomaton.Lead] {
    subscript(index: CaptureIndex) -> MatchingAutomaton.Lead {
        @inline(__always)
        get { self[index.number] }
    }
}

extension [MatchingAutomatonBuilder.State] {
    subscript(index: StateIndex) -> MatchingAutomatonBuilder.State {
        get { self[index.number] }
        _modify { yield &self[index.number] }
    }
}

/// The narrowness of a path parameter, narrower parameters first.
///
/// Narrower parameters are tried first, and literals before all parameters. Two types of one rank that share a text
/// make their routes ambiguous.
enum Specificity: Int, Comparable {
    case compound
    case enumeration
    case exact
    case double
    case pattern
    case text
    case rest

    init(_ type: ScalarType) {
        switch type {
        case .enumeration: self = .enumeration
        case .int, .bool, .uuid, .date, .dateTime: self = .exact
        case .double: self = .double
        case .string(_, _, let pattern): self = pattern == nil ? .text : .pattern
        }
    }

    static func < (left: Specificity, right: Specificity) -> Bool { left.rawValue < right.rawValue }
}
