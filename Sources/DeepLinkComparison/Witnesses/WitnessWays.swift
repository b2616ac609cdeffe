import DeepLinkCore

/// The shortest way from `entry` over each edge that links can take.
struct WitnessWays {
    /// A place on a way: a route, and whether a query key opened it, since only query keys open what stands over it.
    private struct Place: Hashable {
        let node: Int
        let isOpenedByKey: Bool
    }

    private let catalog: RouteCatalog

    /// The last edge of the way to each place, and the place before it.
    private var steps: [Place: (edge: Int, from: Place)] = [:]

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        let start = Place(node: catalog.routes.count, isOpenedByKey: false)
        var queue = [start]
        var next = 0
        while next < queue.count {
            let place = queue[next]
            next += 1
            let edges = place == start ? catalog.entry : catalog.routes[place.node].opens
            for index in edges where catalog.edges[index].isLinkable {
                let edge = catalog.edges[index]
                guard edge.queryKey != nil || !place.isOpenedByKey else { continue }
                let reached = Place(node: edge.child, isOpenedByKey: edge.queryKey != nil)
                guard steps[reached] == nil else { continue }
                steps[reached] = (index, place)
                queue.append(reached)
            }
        }
    }

    /// The edges of the way that ends with an edge; `nil` where links do not get there.
    func way(over edge: Int) -> [Int]? {
        let start = Place(node: catalog.routes.count, isOpenedByKey: false)
        let parent = catalog.edges[edge].parent
        var place = Place(node: parent, isOpenedByKey: false)
        if place != start, steps[place] == nil {
            place = Place(node: parent, isOpenedByKey: true)
            guard steps[place] != nil, catalog.edges[edge].queryKey != nil else { return nil }
        }
        var way = [edge]
        while place != start, let step = steps[place] {
            way.append(step.edge)
            place = step.from
        }
        return way.reversed()
    }
}
