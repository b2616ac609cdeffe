import DeepLinkCore

/// The ways from `entry` over each edge that links can take, shortest first.
struct PathsFromEntry {
    /// One edge of a way.
    struct Step {
        let edge: Int

        /// The alias that replaces the path.
        var alias: PathPattern?

        /// Whether optional parameters have values.
        var isFull = false
    }

    /// A position on a way: a route, and the state that decides which edges can follow.
    ///
    /// If a query key opened the route, only query keys open its children. It also matters whether the path has a
    /// segment yet.
    private struct Place: Hashable {
        let node: Int
        let isOpenedByKey: Bool
        let hasSegment: Bool
    }

    /// The maximum number of ways over one edge that are tried.
    private static let maximumCount = 8

    private let catalog: RouteCatalog

    /// Returns whether a segment can be the first of a link.
    private let opens: (PathPattern.Segment) -> Bool

    /// The last step of the shortest way to each place, and the preceding place.
    private var steps: [Place: (step: Step, from: Place)] = [:]

    /// For each route, the edges by which links reach it.
    private var incoming: [[Int]]

    private let start: Place

    /// Finds the shortest way to each route.
    ///
    /// - Parameters:
    ///   - catalog: the catalog.
    ///   - opens: returns whether a segment can be the first of a link, or `nil` if every segment can.
    /// - Complexity: linear in the edges and their aliases.
    init(_ catalog: RouteCatalog, openedBy opens: ((PathPattern.Segment) -> Bool)? = nil) {
        self.catalog = catalog
        self.opens = opens ?? { _ in true }
        incoming = Array(repeating: [], count: catalog.routes.count)
        for index in catalog.edges.indices where catalog.edges[index].isLinkable {
            incoming[catalog.edges[index].child].append(index)
        }
        // If any segment can be the first, the way doesn't need one yet.
        start = Place(node: catalog.routes.count, isOpenedByKey: false, hasSegment: opens == nil)
        var queue = [start]
        var next = 0
        while next < queue.count {
            let place = queue[next]
            next += 1
            let edges = place == start ? catalog.entry : catalog.routes[place.node].opens
            for index in edges where catalog.edges[index].isLinkable {
                for (reached, step) in moves(over: index, from: place) where steps[reached] == nil {
                    steps[reached] = (step, place)
                    queue.append(reached)
                }
            }
        }
    }

    /// Returns the places that an edge reaches from another place, each by the plainest step.
    private func moves(over index: Int, from place: Place) -> [(Place, Step)] {
        let edge = catalog.edges[index]
        func reached(_ hasSegment: Bool) -> Place {
            Place(node: edge.child, isOpenedByKey: edge.queryKey != nil, hasSegment: hasSegment)
        }
        guard case .path(let pattern) = edge.address else { return [(reached(place.hasSegment), Step(edge: index))] }
        guard !place.isOpenedByKey else { return [] }
        guard !place.hasSegment else { return [(reached(true), Step(edge: index))] }
        var moves: [(Place, Step)] = []
        for (number, pattern) in ([pattern] + edge.aliases).enumerated() {
            let alias = number == 0 ? nil : pattern
            let least = pattern.segments.first { !$0.isOptional }
            if let least {
                if opens(least) { moves.append((reached(true), Step(edge: index, alias: alias))) }
            } else {
                moves.append((reached(false), Step(edge: index, alias: alias)))
            }
            if let first = pattern.segments.first, first.isOptional, opens(first) {
                moves.append((reached(true), Step(edge: index, alias: alias, isFull: true)))
            }
        }
        return moves
    }

    /// Returns ways to the parent of an edge: the shortest way, and a way over each other edge to the parent.
    ///
    /// - Returns: the ways, or none if links don't reach the parent, and whether there are more than are tried.
    func ways(to edge: Int) -> (ways: [[Step]], isCut: Bool) {
        let parent = catalog.edges[edge].parent
        guard parent < catalog.routes.count else { return ([[]], false) }
        let isByKey = catalog.edges[edge].queryKey != nil
        var ways = places(parent, isByKey: isByKey).map(way(to:))
        for index in incoming[parent] {
            let last = catalog.edges[index]
            guard last.queryKey == nil || isByKey else { continue }
            let before =
                last.parent == catalog.routes.count ? [start] : places(last.parent, isByKey: last.queryKey != nil)
            for place in before {
                for alias in [nil] + last.aliases.map(Optional.some) {
                    let isShortest =
                        alias == nil && ways.first?.last.map { $0.edge == index && $0.alias == nil } == true
                    guard !isShortest else { continue }
                    guard ways.count < Self.maximumCount else { return (ways, true) }
                    ways.append(way(to: place) + [Step(edge: index, alias: alias)])
                }
            }
        }
        return (ways, false)
    }

    /// Returns the places of a route that have a way.
    private func places(_ node: Int, isByKey: Bool) -> [Place] {
        (isByKey ? [false, true] : [false])
            .flatMap { key in
                [true, false].map { Place(node: node, isOpenedByKey: key, hasSegment: $0) }
            }
            .filter { steps[$0] != nil }
    }

    private func way(to place: Place) -> [Step] {
        var (way, place) = ([Step](), place)
        while place != start, let step = steps[place] {
            way.append(step.step)
            place = step.from
        }
        return way.reversed()
    }
}
