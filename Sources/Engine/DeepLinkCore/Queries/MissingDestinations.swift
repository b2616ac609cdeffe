extension CatalogGraph {
    /// Returns the destinations to insert below a destination that the route under it does not open.
    ///
    /// They are part of the message that a stack has no link. They are the fewest between the two routes, or between
    /// `entry` and the destination if no path continues from the route under it.
    ///
    /// - Returns: `nil` if the fault is of another kind.
    /// - Complexity: linear in the catalog's edges.
    func advice(on fault: DestinationError, in stack: [Destination]) -> String? {
        guard stack.indices.contains(fault.index) else { return nil }
        let route = stack[fault.index].route
        let below = fault.index == 0 ? entryNode : node(named: stack[fault.index - 1].route)
        guard let target = node(named: route) else { return "There is no route `\(route)`." }
        guard let below, edges(from: below, to: route).isEmpty else { return nil }
        if let way = way(from: below, to: target) { return "Insert \(list(way)) below it." }
        return way(from: entryNode, to: target).map { "It stands on \(list($0))." }
    }

    private func node(named name: String) -> Int? { routes.firstIndex { $0.name.bytewise == name.bytewise } }

    private func list(_ way: [EdgeIndex]) -> String {
        way.map { index in
            let edge = edges[index]
            let needed = edge.neededNames.map { "`\($0)`" }
            return "`\(edge.routeName)` as `\(edge.presentation.name)`"
                + (needed.isEmpty ? "" : " with \(needed.joined(separator: " and "))")
        }
        .joined(separator: " and ")
    }

    /// Returns the edges of a shortest path from a node to one that opens a route, without the edge to that route.
    private func way(from start: Int, to target: Int) -> [EdgeIndex]? {
        var arrivals: [Int: EdgeIndex] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let node = queue[next]
            next += 1
            for index in opens(node) where packed[index].isLinkable {
                let child = packed[index].child
                if child == target, node != start {
                    var way: [EdgeIndex] = []
                    var place = node
                    while place != start, let edge = arrivals[place] {
                        way.append(edge)
                        place = packed[edge].parent
                    }
                    return way.reversed()
                }
                guard child != start, arrivals[child] == nil else { continue }
                arrivals[child] = index
                queue.append(child)
            }
        }
        return nil
    }
}
