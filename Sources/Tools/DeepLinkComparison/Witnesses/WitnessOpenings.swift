import DeepLinkCore

/// The paths of the edges with which a link can begin, by their first segment.
struct WitnessOpenings {
    private var literals: [ByteText: [WitnessPath]] = [:]
    private var free: [WitnessPath] = []

    /// The first paths with any first segment.
    private var some: [WitnessPath] = []

    /// The maximum number of stored paths for one first segment.
    private static let maximumCount = 3

    /// Finds the edges with which links can begin: edges at `entry`, and edges after edges without a segment.
    ///
    /// - Parameters:
    ///   - catalog: the catalog.
    ///   - path: returns the path of a way with the values of a variant.
    /// - Complexity: linear in the edges and their aliases.
    init(_ catalog: RouteCatalog, path: ([PathsFromEntry.Step], Int) -> WitnessPath?) {
        var known = Set<Int>()
        var queue: [(edges: Range<Int>, way: [PathsFromEntry.Step])] = [(catalog.entry, [])]
        var next = 0
        while next < queue.count {
            let (edges, way) = queue[next]
            next += 1
            for index in edges where catalog.edges[index].isLinkable {
                let edge = catalog.edges[index]
                guard case .path(let pattern) = edge.address else { continue }
                for (number, pattern) in ([pattern] + edge.aliases).enumerated() {
                    let step = PathsFromEntry.Step(edge: index, alias: number == 0 ? nil : pattern)
                    let needsNone = pattern.segments.allSatisfy(\.isOptional)
                    if !needsNone { add(path(way + [step], 0)) }
                    if pattern.segments.first?.isOptional == true {
                        add(path(way + [PathsFromEntry.Step(edge: index, alias: step.alias, isFull: true)], 0))
                    }
                    if needsNone, known.insert(edge.child).inserted {
                        queue.append((catalog.routes[edge.child].opens, way + [step]))
                    }
                }
            }
        }
    }

    private mutating func add(_ path: WitnessPath?) {
        guard let path else { return }
        if some.count < Self.maximumCount { some.append(path) }
        if let opening = path.opening {
            if (literals[opening]?.count ?? 0) < Self.maximumCount { literals[opening, default: []].append(path) }
        } else if free.count < Self.maximumCount {
            free.append(path)
        }
    }

    /// Returns paths that fit after a host that is a segment.
    func paths(under prefix: OriginPrefix) -> [WitnessPath] {
        guard prefix.form == .hostSegment(suffix: nil) else { return free + some }
        return (literals[PercentEncoding.encode(literal: prefix.hostName).bytewise] ?? []) + free
    }
}

/// The path and query of a link without an origin.
struct WitnessPath {
    /// One segment of the path.
    struct Segment {
        /// The text, percent-encoded.
        let text: String

        /// Whether another text may replace it, because a parameter or a wildcard matches it.
        let isFree: Bool
    }

    /// The segments of the path.
    let segments: [Segment]

    /// The query with its question mark, or an empty text.
    let query: String

    /// The first segment if it is fixed.
    ///
    /// It decides the origin that takes the link.
    let opening: ByteText?

    init(_ segments: [Segment], query: String) {
        self.segments = segments
        self.query = query
        opening = segments.first.flatMap { $0.isFree ? nil : $0.text.bytewise }
    }

    /// The path of one free segment.
    static let any = WitnessPath([Segment(text: "x", isFree: true)], query: "")

    /// The path and query in the syntax of links.
    var text: String {
        (segments.isEmpty ? "/" : segments.map { "/" + $0.text }.joined()) + query
    }

    /// The path and query after the first segment.
    var rest: String { segments.dropFirst().map { "/" + $0.text }.joined() + query }
}
