/// Makes the stack of a matched path: initial children inserted, values bound, query routes opened.
struct StackBuilder {
    private let graph: CatalogGraph
    private let automaton: MatchingAutomaton
    private let link: DeepLink
    private var query: QueryBinder

    /// How many destinations were there before the link added any.
    private let currentCount: Int

    /// The parameter that was bound last, as an index into those of its edge.
    private var parameterInWork = 0

    private(set) var stack: [StackElement]

    /// Continues from a current stack, which may be empty.
    init(_ link: DeepLink, from current: [StackElement], in catalog: RouteCatalog) {
        graph = catalog.graph
        automaton = catalog.automaton
        self.link = link
        query = QueryBinder(link, plusIsSpace: catalog.plusIsSpace)
        currentCount = current.count
        stack = current
    }

    /// The query pairs that no destination used.
    var unusedQuery: [QueryItem] { query.unusedPairs.map(query.item) }

    /// Builds the whole stack.
    ///
    /// - Throws: ``StackFailure``, for a parameter that does not fit or destinations that exclude each other.
    mutating func build(_ steps: [MatchStep]) throws(StackFailure) {
        try buildPath(steps)
        try openQueryRoutes()
        try checkMixtures()
    }

    /// Builds the stack of a path alone, without query routes.
    ///
    /// - Throws: ``StackFailure``, for a parameter that does not fit.
    mutating func buildPath(_ steps: [MatchStep]) throws(StackFailure) {
        try append(steps, isLenient: false)
    }

    /// Builds the stack of a path that matched only so far: no query routes, and what does not fit is left out.
    mutating func buildPrefix(_ steps: [MatchStep]) {
        // Being lenient, it never throws.
        try? append(steps, isLenient: true)
    }

    // MARK: The path

    private mutating func append(_ steps: [MatchStep], isLenient: Bool) throws(StackFailure) {
        for step in steps {
            let chain = automaton.chains[step.chain]
            for (place, edge) in chain.edges.enumerated() {
                let isLast = place == chain.edges.count - 1
                try open(
                    Opening(
                        edge: edge,
                        spelling: isLast ? chain.spelling : graph.edges[edge].emptySpelling,
                        start: step.start
                    ),
                    isLenient: isLenient
                )
            }
        }
        try insertInitials(beforeOpening: nil, isLenient: isLenient)
    }

    /// Opens an edge or, of the edges that share its pattern, the first whose parameters fit.
    private mutating func open(_ opening: Opening, isLenient: Bool) throws(StackFailure) {
        guard !graph.alternatives[opening.edge].isEmpty else {
            try insertInitials(beforeOpening: opening.edge, isLenient: isLenient)
            return try push(opening, isLenient: isLenient)
        }
        try pushFirst(of: alternatives(to: opening)) { builder, candidate throws(StackFailure) in
            try builder.insertInitials(beforeOpening: candidate.edge, isLenient: isLenient)
            try builder.push(candidate, isLenient: isLenient)
        }
    }

    /// Tries alternatives in order, each from the same state.
    ///
    /// Where none fits, the failure of the one that got furthest in its parameters is thrown; several that fail at
    /// one parameter tell together what is expected there.
    private mutating func pushFirst(
        of candidates: [Opening],
        _ attempt: (inout StackBuilder, Opening) throws(StackFailure) -> Void
    ) throws(StackFailure) {
        let before = self
        var furthest: (parameter: Int, failure: StackFailure)?
        for candidate in candidates {
            do throws(StackFailure) {
                return try attempt(&self, candidate)
            } catch {
                if let known = furthest, parameterInWork <= known.parameter {
                    if parameterInWork == known.parameter { furthest?.failure = known.failure.joined(with: error) }
                } else {
                    furthest = (parameterInWork, error)
                }
                self = before
            }
        }
        if let failure = furthest?.failure { throw failure }
    }

    private func alternatives(to opening: Opening) -> [Opening] {
        graph.alternatives[opening.edge]
            .compactMap { index in
                let edge = graph.edges[index]
                guard edge.isLinkable || index == opening.edge else { return nil }
                guard let number = opening.spelling else {
                    return index == opening.edge ? opening : nil
                }
                let segments = Segments(graph.edges[opening.edge], number)
                let spelling = edge.spellings.indices.first { Segments(edge, $0) == segments }
                return spelling.map { Opening(edge: index, spelling: $0, start: opening.start) }
            }
    }

    /// Inserts the initial child of the top, and then its own, unless the path goes on to it or to a tab beside it.
    private mutating func insertInitials(beforeOpening next: Int?, isLenient: Bool) throws(StackFailure) {
        guard let top = stack.last else { return }
        guard var initial = graph.initials[graph.edges[top.edge].child] else { return }
        if let next, next == initial || graph.edges[next].presentation == .tab { return }
        while true {
            try push(Opening(edge: initial, spelling: nil, start: link.spans.path.end), isLenient: isLenient)
            guard let further = graph.initials[graph.edges[initial].child] else { return }
            initial = further
        }
    }

    private mutating func push(_ opening: Opening, isLenient: Bool) throws(StackFailure) {
        let edge = graph.edges[opening.edge]
        var element = StackElement(edge: opening.edge)
        for index in edge.parameters.indices {
            parameterInWork = index
            do throws(InvalidValue) {
                guard let value = try value(of: index, edge, opening) else { continue }
                element.arguments.append(BoundParameter(name: edge.parameters[index].name, value: value))
            } catch {
                guard isLenient else { throw failure(error, edge) }
            }
        }
        stack.append(element)
    }

    // MARK: Values

    private mutating func value(
        of index: Int,
        _ edge: Edge,
        _ opening: Opening
    ) throws(InvalidValue) -> ParameterValue? {
        let parameter = edge.parameters[index]
        guard edge.isInPath(parameter: index) else { return try query.value(of: parameter) }
        guard let spelling = opening.spelling.map({ edge.spellings[$0] }),
            let place = spelling.parts.firstIndex(where: { $0.parameter == index })
        else { return parameter.defaultValue }
        let segments = segments(place, spelling, from: opening.start)
        var values: [ParameterValue] = []
        for segment in segments {
            let bytes = link.bytes[segment.start..<segment.end]
            guard let value = parameter.type.segmentType?.parse(DecodedBytes(bytes)) else {
                throw InvalidValue(
                    parameter: parameter.name,
                    value: PercentEncoding.decode(bytes),
                    expected: parameter.type.expectation,
                    offset: segment.start
                )
            }
            values.append(value)
        }
        if case .rest = spelling.parts[place] { return .list(values) }
        return values.first
    }

    private func segments(_ place: Int, _ spelling: PathSpelling, from start: Int) -> [LinkRange] {
        var segment = link.nextSegment(from: start)
        for _ in 0..<place { segment = segment.flatMap { link.nextSegment(from: $0.end) } }
        guard let segment else { return [] }
        if case .rest = spelling.parts[place] { return link.segmentRanges(from: segment.start) }
        return [segment]
    }

    private func failure(_ invalid: InvalidValue, _ edge: Edge) -> StackFailure {
        .invalidParameter(
            InvalidParameter(
                route: graph.routes[edge.child].name,
                parameter: invalid.parameter,
                value: invalid.value,
                expected: invalid.expected,
                offset: invalid.offset
            )
        )
    }

    // MARK: Query routes

    /// Opens query routes from the top for as long as a key of one is present; each takes at least one pair.
    private mutating func openQueryRoutes() throws(StackFailure) {
        while let top = stack.last {
            let candidates = graph.queryEdges[graph.edges[top.edge].child].filter(isOpened)
            guard let first = candidates.first.map({ graph.edges[$0] }), let key = first.queryKey else { return }
            // Edges between the same two routes may share a key; their parameters tell them apart.
            guard candidates.allSatisfy({ graph.edges[$0].child == first.child && graph.edges[$0].queryKey == key })
            else {
                throw .conflictingDestinations(candidates.map { graph.routes[graph.edges[$0].child].name })
            }
            try pushFirst(of: candidates.map { Opening(edge: $0, spelling: nil, start: link.spans.path.end) }) {
                builder,
                candidate throws(StackFailure) in
                let opening = builder.query.index(of: key)
                try builder.push(candidate, isLenient: false)
                // What opened a destination opens no other, even if it was only read.
                if let opening { builder.query.take(opening) }
            }
            try insertInitials(beforeOpening: nil, isLenient: false)
        }
    }

    /// Tells whether the link opens a query route; a bare key only does where the route's parameter accepts it.
    private func isOpened(_ index: Int) -> Bool {
        let edge = graph.edges[index]
        guard let key = edge.queryKey, let pair = query.next(key) else { return false }
        guard pair.value == nil, let parameter = edge.queryParameters.first(where: { $0.keys.contains(key) }) else {
            return true
        }
        return parameter.type.segmentType?.bareValue != nil
    }

    // MARK: Alternatives

    /// Refuses a key that the chosen edge leaves and another edge between the same two routes reads.
    private func checkMixtures() throws(StackFailure) {
        let unused = query.unusedPairs
        guard !unused.isEmpty else { return }
        for element in stack[currentCount...] {
            let others = graph.alternatives[element.edge].filter { $0 != element.edge && graph.edges[$0].isLinkable }
            for pair in unused {
                for edge in others.map({ graph.edges[$0] }) {
                    guard let parameter = edge.queryParameters.first(where: { reads($0, pair) }) else { continue }
                    let invalid = InvalidValue(
                        parameter: parameter.name,
                        value: query.item(pair).value,
                        expected: "none, since the other parameters open it in another way",
                        offset: pair.value?.start ?? pair.name.start
                    )
                    throw failure(invalid, edge)
                }
            }
        }
    }

    private func reads(_ parameter: Parameter, _ pair: LinkPair) -> Bool {
        parameter.keys.contains { query.isNamed(pair, $0) }
    }
}
