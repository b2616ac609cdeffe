/// The paths from `entry` to a screen, for links to a screen without a given stack.
///
/// Each edge has a length. The paths are ordered by length. Of equally long paths, the one that takes an earlier edge
/// of a route's `opens` comes first, from `entry` on.
struct PathsToScreen {
    /// The maximum number of edges that are tried, since a graph can have any number of paths.
    private static let maximumStepCount = 20_000

    /// The maximum detour over the shortest path.
    private static let maximumDetour = 8

    private let graph: CatalogGraph

    /// The lengths of the edges that may be last.
    private let ends: [EdgeIndex: Int]

    /// Returns the length of an edge below the screen, or `nil` for an edge that isn't taken.
    private let length: (EdgeIndex) -> Int?

    /// The length of the shortest path from each place to the screen, or `Int.max` if there is none.
    private var rest: [Int]

    /// The edges from each place that are on a path to the screen.
    private var steps: [Int: Set<EdgeIndex>] = [:]

    private var stepCount = 0

    /// Creates the paths to a screen.
    ///
    /// - Parameters:
    ///   - ends: The edges that open the screen, each with its length.
    ///   - graph: The catalog.
    ///   - length: Returns the length of an edge below the screen, at least 0, or `nil` for an edge that isn't taken.
    /// - Complexity: linear in the catalog's edges.
    init(to ends: [EdgeIndex: Int], in graph: CatalogGraph, length: @escaping (EdgeIndex) -> Int?) {
        self.graph = graph
        self.ends = ends
        self.length = length
        rest = Array(repeating: .max, count: 2 * (graph.routes.count + 1))
        measure()
    }

    /// Returns the first non-`nil` result of a function for a path, from the root up, without initial children.
    ///
    /// - Complexity: bounded by the number of edges that are tried.
    mutating func first<Result>(_ body: ([EdgeIndex]) -> Result?) -> Result? {
        let start = Self.place(graph.entryNode, isOpenedByKey: false)
        guard rest[start] != .max else { return nil }
        stepCount = 0
        for length in rest[start]...rest[start] + Self.maximumDetour {
            var way: [EdgeIndex] = []
            var passed: Set<Int> = [start]
            if let result = search(from: start, length: length, way: &way, passed: &passed, body) { return result }
        }
        return nil
    }

    /// Searches the paths of exactly a length, earlier edges first, without passing a place twice.
    private mutating func search<Result>(
        from place: Int,
        length: Int,
        way: inout [EdgeIndex],
        passed: inout Set<Int>,
        _ body: ([EdgeIndex]) -> Result?
    ) -> Result? {
        for edge in (steps[place] ?? []).sorted() {
            stepCount += 1
            guard stepCount <= Self.maximumStepCount else { return nil }
            way.append(edge)
            defer { way.removeLast() }
            if ends[edge] == length, let result = body(way) { return result }
            let next = Self.place(after: edge, in: graph)
            guard rest[next] != .max, let step = self.length(edge), step + rest[next] <= length,
                passed.insert(next).inserted
            else { continue }
            defer { passed.remove(next) }
            if let result = search(from: next, length: length - step, way: &way, passed: &passed, body) {
                return result
            }
        }
        return nil
    }

    // MARK: Measuring

    /// Returns a place on a path: a route, and whether a query key opened it, since only query keys open routes above
    /// it.
    private static func place(_ node: Int, isOpenedByKey: Bool) -> Int { 2 * node + (isOpenedByKey ? 1 : 0) }

    private static func place(after edge: EdgeIndex, in graph: CatalogGraph) -> Int {
        place(graph.packed[edge].child, isOpenedByKey: graph.packed[edge].isQuery)
    }

    /// Measures the paths back from the screen, the shortest first.
    private mutating func measure() {
        var leading: [Int: [EdgeIndex]] = [:]
        for edge in graph.edges.indices.map({ EdgeIndex($0) }) where isTaken(edge) {
            leading[Self.place(after: edge, in: graph), default: []].append(edge)
        }
        var queue: [[Int]] = []
        for (edge, length) in ends where isTaken(edge) { reach(over: edge, length: length, &queue) }
        var length = 0
        while length < queue.count {
            // An edge of length 0 makes this part of the queue longer.
            var index = 0
            while index < queue[length].count {
                let place = queue[length][index]
                index += 1
                guard rest[place] == length else { continue }
                for edge in leading[place] ?? [] {
                    if let step = self.length(edge) { reach(over: edge, length: length + step, &queue) }
                }
            }
            length += 1
        }
    }

    /// Records a path over an edge at the places where the edge begins.
    private mutating func reach(over edge: EdgeIndex, length: Int, _ queue: inout [[Int]]) {
        let parent = graph.packed[edge].parent
        for isOpenedByKey in graph.packed[edge].isQuery ? [false, true] : [false] {
            let place = Self.place(parent, isOpenedByKey: isOpenedByKey)
            steps[place, default: []].insert(edge)
            guard length < rest[place] else { continue }
            rest[place] = length
            while queue.count <= length { queue.append([]) }
            queue[length].append(place)
        }
    }

    /// Returns whether links take an edge.
    ///
    /// A key opens routes above the top, which never has an initial child.
    private func isTaken(_ edge: EdgeIndex) -> Bool {
        let packedEdge = graph.packed[edge]
        return packedEdge.isLinkable && (!packedEdge.isQuery || graph.initials(below: edge).isEmpty)
    }
}

extension CatalogGraph {
    /// Returns the initial children that are inserted below the route that an edge opens, the lowest first.
    func initials(below edge: EdgeIndex) -> [EdgeIndex] {
        let packedEdge = packed[edge]
        guard packedEdge.parent != entryNode, let first = initials[packedEdge.parent], !packedEdge.isTab,
            packedEdge.child != packed[first].child
        else { return [] }
        return initials(from: first)
    }

    /// Returns the initial children that are inserted above the route that an edge opens, the lowest first.
    func initials(above edge: EdgeIndex) -> [EdgeIndex] { packed[edge].childInitial.map(initials(from:)) ?? [] }

    private func initials(from first: EdgeIndex) -> [EdgeIndex] {
        var initials = [first]
        var last = first
        while let next = packed[last].childInitial {
            initials.append(next)
            last = next
        }
        return initials
    }

    /// Returns a stack with the initial children that links insert, and the source of each destination: its index in
    /// the given stack, or for an inserted one the index of the next destination.
    func completed(_ stack: [StackElement]) -> (stack: [StackElement], sources: [Int]) {
        var completed: [StackElement] = []
        var sources: [Int] = []
        func insert(_ edges: [EdgeIndex], at source: Int) {
            for edge in edges {
                completed.append(
                    StackElement(edge: edge, arguments: self.edges[edge].adopt([]) ?? [], origin: .initial)
                )
                sources.append(source)
            }
        }
        for (index, element) in stack.enumerated() {
            let isDirectlyAbove = completed.last.map { packed[$0.edge].child == packed[element.edge].parent } ?? false
            if isDirectlyAbove, !packed[element.edge].isQuery { insert(initials(below: element.edge), at: index) }
            completed.append(element)
            sources.append(index)
        }
        if let last = stack.last { insert(initials(above: last.edge), at: stack.count - 1) }
        return (completed, sources)
    }
}
