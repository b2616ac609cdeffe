/// Makes the stack of a matched path: initial children inserted, values bound, query routes opened.
struct StackBuilder {
    private let graph: CatalogGraph
    private let catalog: RouteCatalog
    private let link: DeepLink
    private var query: QueryBinder
    private(set) var stack: [StackElement] = []

    init(_ link: DeepLink, in catalog: RouteCatalog) {
        graph = catalog.graph
        self.catalog = catalog
        self.link = link
        query = QueryBinder(link)
    }

    /// The query pairs that no destination used.
    var unusedQuery: [QueryItem] { query.unused }

    /// Builds the whole stack.
    ///
    /// - Throws: ``StackFailure``, for a parameter that does not fit or destinations that exclude each other.
    mutating func build(_ steps: [MatchStep]) throws(StackFailure) {
        try append(steps, isLenient: false)
        try openQueryRoutes()
    }

    /// Builds the stack of a path that matched only so far: no query routes, and what does not fit is left out.
    mutating func buildPrefix(_ steps: [MatchStep]) {
        // Being lenient, it never throws.
        try? append(steps, isLenient: true)
    }

    // MARK: The path

    private mutating func append(_ steps: [MatchStep], isLenient: Bool) throws(StackFailure) {
        for step in steps {
            for edge in catalog.automaton.chains[step.chain] {
                try insertInitials(beforeOpening: edge, isLenient: isLenient)
                try push(edge, segmentsFrom: step.start, isLenient: isLenient)
            }
        }
        try insertInitials(beforeOpening: nil, isLenient: isLenient)
    }

    /// Inserts the initial child of the top, and then its own, unless the path goes on to it or to a tab beside it.
    private mutating func insertInitials(beforeOpening next: Int?, isLenient: Bool) throws(StackFailure) {
        guard let top = stack.last else { return }
        guard var initial = graph.initials[graph.edges[top.edge].child] else { return }
        if let next, next == initial || graph.edges[next].presentation == .tab { return }
        while true {
            try push(initial, segmentsFrom: link.spans.path.end, isLenient: isLenient)
            guard let further = graph.initials[graph.edges[initial].child] else { return }
            initial = further
        }
    }

    private mutating func push(_ index: Int, segmentsFrom start: Int, isLenient: Bool) throws(StackFailure) {
        let edge = graph.edges[index]
        var element = StackElement(edge: index)
        for parameter in edge.parameters.indices {
            do throws(InvalidParameter) {
                let value = try value(of: parameter, edge, segmentsFrom: start)
                guard let value else { continue }
                element.arguments.append(BoundParameter(name: edge.parameters[parameter].name, value: value))
            } catch {
                guard isLenient else { throw .invalidParameter(error) }
            }
        }
        stack.append(element)
    }

    // MARK: Values

    private mutating func value(
        of index: Int,
        _ edge: Edge,
        segmentsFrom start: Int
    ) throws(InvalidParameter) -> ParameterValue? {
        let parameter = edge.parameters[index]
        if let place = edge.segmentParameters.firstIndex(of: index) {
            guard let segment = segment(place, from: start) else { return nil }
            return parameter.type.parse(DecodedBytes(link.bytes[segment.start..<segment.end]))
        }
        guard let pair = query.take(parameter.key) else {
            guard parameter.isRequired else { return parameter.defaultValue }
            throw invalid(
                parameter,
                edge,
                value: nil,
                at: link.spans.query.isEmpty ? link.spans.path.end : link.spans.query.end
            )
        }
        guard let range = pair.value else {
            guard let value = parameter.type.bareValue else {
                throw invalid(parameter, edge, value: nil, at: pair.name.end)
            }
            return value
        }
        let bytes = link.bytes[range.start..<range.end]
        guard let value = parameter.type.parse(DecodedBytes(bytes)) else {
            throw invalid(parameter, edge, value: PercentEncoding.decode(bytes), at: range.start)
        }
        return value
    }

    private func invalid(_ parameter: Parameter, _ edge: Edge, value: String?, at offset: Int) -> InvalidParameter {
        InvalidParameter(
            route: graph.routes[edge.child].name,
            parameter: parameter.name,
            value: value,
            expected: parameter.type.expectation,
            offset: offset
        )
    }

    private func segment(_ place: Int, from start: Int) -> LinkRange? {
        var segment = link.nextSegment(from: start)
        for _ in 0..<place { segment = segment.flatMap { link.nextSegment(from: $0.end) } }
        return segment
    }

    // MARK: Query routes

    /// Opens query routes from the top for as long as a key of one is present; each takes at least one pair.
    private mutating func openQueryRoutes() throws(StackFailure) {
        while let top = stack.last {
            let candidates = graph.queryEdges[graph.edges[top.edge].child].filter(isOpened)
            guard let edge = candidates.first else { return }
            guard candidates.count == 1 else {
                throw .conflictingDestinations(candidates.map { graph.routes[graph.edges[$0].child].name })
            }
            if let key = graph.edges[edge].queryKey, !graph.edges[edge].parameters.contains(where: { $0.key == key }) {
                query.take(key)
            }
            try push(edge, segmentsFrom: link.spans.path.end, isLenient: false)
            try insertInitials(beforeOpening: nil, isLenient: false)
        }
    }

    /// Tells whether the link opens a query route; a bare key only does where the route's parameter accepts it.
    private func isOpened(_ index: Int) -> Bool {
        let edge = graph.edges[index]
        guard let key = edge.queryKey, let pair = query.next(key) else { return false }
        guard pair.value == nil, let parameter = edge.parameters.first(where: { $0.key == key }) else { return true }
        return parameter.type.bareValue != nil
    }
}
