/// The shortest paths of edges from `entry` to one route on which no other destination needs a value.
///
/// The length of a path is that of its link's stack, inserted initial children included.
struct ShortestWays {
    /// The most paths that are examined: the number of equally short ones may double with each step.
    private static let maximumCount = 16

    /// A position on a path: a route, and whether a query key opened it, since only query keys open routes above it.
    private struct Place: Hashable {
        let node: Int
        let isOpenedByKey: Bool
    }

    private let graph: CatalogGraph

    /// The length of the shortest paths to each position.
    private var lengths: [Place: Int] = [:]

    /// The last edges of the shortest paths to each position.
    private var lastEdges: [Place: [EdgeIndex]] = [:]

    /// Returns the paths to a route whose last edge is one of these.
    ///
    /// - Complexity: linear in the edges that links can take.
    static func find(through finals: Set<EdgeIndex>, in graph: CatalogGraph) -> [[EdgeIndex]] {
        var ways = ShortestWays(graph)
        let ends = ways.measure(finals)
        return ways.unfold(ends)
    }

    private init(_ graph: CatalogGraph) {
        self.graph = graph
    }

    /// Measures paths in the order of their length until the shortest through one of some edges are known.
    private mutating func measure(_ finals: Set<EdgeIndex>) -> [EdgeIndex] {
        var ends: [EdgeIndex] = []
        var shortest = Int.max
        let start = Place(node: graph.entryNode, isOpenedByKey: false)
        lengths[start] = 0
        var queue = [[start]]
        var length = 0
        while length < queue.count, length < shortest {
            // Every edge adds length, so this part of the queue does not grow any more.
            for place in queue[length] where lengths[place] == length {
                for edge in graph.opens(place.node) {
                    guard let step = step(over: edge, from: place) else { continue }
                    let next = length + step
                    if finals.contains(edge), next <= shortest {
                        if next < shortest { ends = [] }
                        shortest = next
                        if !ends.contains(edge) { ends.append(edge) }
                    }
                    let child = Place(node: graph.packed[edge].child, isOpenedByKey: graph.packed[edge].isQuery)
                    guard lengths[child].map({ $0 >= next }) ?? true, needsNoValue(edge) else { continue }
                    if lengths[child] == next {
                        let known = lastEdges[child] ?? []
                        if known.count < Self.maximumCount, !known.contains(edge) { lastEdges[child]?.append(edge) }
                        continue
                    }
                    lengths[child] = next
                    lastEdges[child] = [edge]
                    while queue.count <= next { queue.append([]) }
                    queue[next].append(child)
                }
            }
            length += 1
        }
        return ends
    }

    /// Returns the number of destinations that an edge adds; `nil` if no link takes it from there.
    private func step(over edge: EdgeIndex, from place: Place) -> Int? {
        let facts = graph.packed[edge]
        guard facts.isLinkable, facts.isQuery || !place.isOpenedByKey else { return nil }
        let initials = initials(before: edge)
        // A key opens a route above the top, and that is the initial child.
        guard initials.isEmpty || !facts.isQuery else { return nil }
        return initials.count + 1
    }

    /// Returns the initial children below the route that an edge opens.
    private func initials(before edge: EdgeIndex) -> [EdgeIndex] {
        let facts = graph.packed[edge]
        guard facts.parent != graph.entryNode, let first = graph.initials[facts.parent], !facts.isTab,
            facts.child != graph.packed[first].child
        else { return [] }
        var initials = [first]
        var last = first
        while let next = graph.packed[last].childInitial {
            initials.append(next)
            last = next
        }
        return initials
    }

    private func needsNoValue(_ edge: EdgeIndex) -> Bool {
        guard graph.packed[edge].hasParameters else { return true }
        let edge = graph.edges[edge]
        guard let defaults = edge.adopt([]) else { return false }
        guard let key = edge.queryKey, let parameter = edge.parameters.first(where: { $0.reads(key) }) else {
            return true
        }
        // The value of the key that opens the route is then that parameter's.
        return defaults.contains { $0.name.bytewise == parameter.name.bytewise }
    }

    /// Assembles the paths that end with some edges, their initial children included.
    private func unfold(_ ends: [EdgeIndex]) -> [[EdgeIndex]] {
        // Each path is assembled from its top.
        var open = ends.reversed().map { (way: [$0] + initials(before: $0).reversed(), lowest: $0) }
        var ways: [[EdgeIndex]] = []
        while ways.count < Self.maximumCount, let (way, lowest) = open.popLast() {
            let parent = graph.packed[lowest].parent
            guard parent != graph.entryNode else {
                ways.append(way.reversed())
                continue
            }
            let places = [false, true].map { Place(node: parent, isOpenedByKey: $0) }
                .filter { lengths[$0] != nil && step(over: lowest, from: $0) != nil }
            let shortest = places.compactMap { lengths[$0] }.min()
            for place in places.reversed() where lengths[place] == shortest {
                for edge in (lastEdges[place] ?? []).reversed() {
                    open.append((way + [edge] + initials(before: edge).reversed(), edge))
                }
            }
        }
        return ways
    }
}
