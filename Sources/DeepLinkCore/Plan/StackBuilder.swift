/// Makes the stack of a matched path: initial children inserted, values bound, query routes opened.
struct StackBuilder {
    private let graph: CatalogGraph
    private let automaton: MatchingAutomaton
    private let link: DeepLink
    private let current: [StackElement]
    private var query: QueryBinder

    /// The destinations that the link adds; those before stand apart, since trying alternatives copies these.
    private var added: [StackElement] = []

    /// The parameter that was bound last, as an index into those of its edge.
    private var parameterInWork = 0

    /// Continues from a current stack, which may be empty.
    init(_ link: DeepLink, from current: [StackElement], in catalog: RouteCatalog) {
        graph = catalog.graph
        automaton = catalog.automaton
        self.link = link
        self.current = current
        query = QueryBinder(link, plusIsSpace: catalog.plusIsSpace)
    }

    /// The whole stack as far as it is built.
    var stack: [StackElement] { current.isEmpty ? added : current + added }

    /// The query pairs that no destination used.
    var unusedQuery: [QueryItem] { query.unusedPairs.map(query.item) }

    /// Builds the whole stack.
    ///
    /// - Throws: ``LinkFailure``, for a parameter that does not fit or destinations that exclude each other.
    mutating func build(_ steps: ShortList<MatchStep>) throws(LinkFailure) {
        try buildPath(steps)
        try openQueryRoutes()
        try checkMixtures()
    }

    /// Builds the stack of a path alone, without query routes.
    ///
    /// - Throws: ``LinkFailure``, for a parameter that does not fit.
    mutating func buildPath(_ steps: ShortList<MatchStep>) throws(LinkFailure) {
        try append(steps, isLenient: false)
    }

    /// Builds the stack of a path that matched only so far: no query routes, and what does not fit is left out.
    mutating func buildPrefix(_ steps: ShortList<MatchStep>) {
        // Being lenient, it never throws.
        try? append(steps, isLenient: true)
    }

    // MARK: The path

    private mutating func append(_ steps: ShortList<MatchStep>, isLenient: Bool) throws(LinkFailure) {
        for number in 0..<steps.count {
            let step = steps[number]
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
    private mutating func open(_ opening: Opening, isLenient: Bool) throws(LinkFailure) {
        guard !graph.alternatives[opening.edge].isEmpty else {
            try insertInitials(beforeOpening: opening.edge, isLenient: isLenient)
            return try push(opening, .path, isLenient: isLenient)
        }
        do throws(LinkFailure) {
            try pushFirst(of: alternatives(to: opening)) { builder, candidate throws(LinkFailure) in
                try builder.insertInitials(beforeOpening: candidate.edge, isLenient: false)
                try builder.push(candidate, .path, isLenient: false)
            }
        } catch {
            guard isLenient else { throw error }
            try insertInitials(beforeOpening: opening.edge, isLenient: true)
            try push(opening, .path, isLenient: true)
        }
    }

    /// Tries alternatives in order, each from the same state.
    ///
    /// Where none fits, the failure of the one that got furthest in its parameters is thrown; several that fail at
    /// one parameter tell together what is expected there.
    private mutating func pushFirst(
        of candidates: [Opening],
        _ attempt: (inout StackBuilder, Opening) throws(LinkFailure) -> Void
    ) throws(LinkFailure) {
        let before = self
        var furthest: (parameter: Int, failure: LinkFailure)?
        for candidate in candidates {
            do throws(LinkFailure) {
                return try attempt(&self, candidate)
            } catch {
                if let known = furthest, parameterInWork <= known.parameter {
                    if parameterInWork == known.parameter { furthest?.failure = joined(known.failure, error) }
                } else {
                    furthest = (parameterInWork, error)
                }
                self = before
            }
        }
        if let failure = furthest?.failure { throw failure }
    }

    /// Adds to a report what an alternative expected of the same value.
    private func joined(_ one: LinkFailure, _ other: LinkFailure) -> LinkFailure {
        guard case .invalidParameter(let one) = one, case .invalidParameter(let two) = other,
            one.parameter == two.parameter, one.offset == two.offset, one.expected != two.expected
        else { return one }
        return .invalidParameter(one.expecting("\(one.expected) or \(two.expected)"))
    }

    /// Lists the edges between the same two routes that the same segments open, in the order of the list.
    ///
    /// Those whose path parameters do not accept the segments are no candidates: the path is matched already, and
    /// only the query is still to be read.
    private func alternatives(to opening: Opening) -> [Opening] {
        guard let number = opening.spelling else { return [opening] }
        let segments = Segments(graph.edges[opening.edge], number)
        return graph.alternatives[opening.edge]
            .compactMap { index in
                guard index != opening.edge else { return opening }
                let edge = graph.edges[index]
                guard edge.isLinkable else { return nil }
                return edge.spellings.indices.lazy
                    .filter { Segments(edge, $0) == segments }
                    .map { Opening(edge: index, spelling: $0, start: opening.start) }
                    .first { candidate in
                        edge.parameters.indices.allSatisfy { parameter in
                            !edge.isInPath[parameter] || (try? pathValue(of: parameter, edge, candidate)) != nil
                        }
                    }
            }
    }

    /// Inserts the initial child of the top, and then its own, unless the path goes on to it or to a tab beside it.
    private mutating func insertInitials(beforeOpening next: Int?, isLenient: Bool) throws(LinkFailure) {
        guard let top = added.last ?? current.last else { return }
        guard var initial = graph.initials[graph.edges[top.edge].child] else { return }
        if let next = next.map({ graph.edges[$0] }),
            next.child == graph.edges[initial].child || next.presentation == .tab
        {
            return
        }
        while true {
            let opening = Opening(edge: initial, spelling: nil, start: link.spans.path.end)
            try push(opening, .initial, isLenient: isLenient)
            guard let further = graph.initials[graph.edges[initial].child] else { return }
            initial = further
        }
    }

    private mutating func push(
        _ opening: Opening,
        _ origin: StackElement.Origin,
        isLenient: Bool
    ) throws(LinkFailure) {
        let edge = graph.edges[opening.edge]
        var element = StackElement(edge: opening.edge, origin: origin)
        for index in edge.parameters.indices {
            parameterInWork = index
            do throws(InvalidValue) {
                let value =
                    try edge.isInPath[index]
                    ? pathValue(of: index, edge, opening) : query.value(of: edge.parameters[index])
                guard let value else { continue }
                element.arguments.append(BoundParameter(name: edge.parameters[index].name, value: value))
            } catch {
                guard isLenient else { throw failure(error, edge) }
            }
        }
        added.append(element)
    }

    // MARK: Values

    /// Reads a parameter from the path; `nil` where it is optional, absent and without a default.
    private func pathValue(
        of index: Int,
        _ edge: Edge,
        _ opening: Opening
    ) throws(InvalidValue) -> ParameterValue? {
        let parameter = edge.parameters[index]
        guard let spelling = opening.spelling.map({ edge.spellings[$0] }),
            let place = spelling.parts.firstIndex(where: { $0.parameter == index })
        else { return parameter.defaultValue }
        var segment = link.nextSegment(from: opening.start)
        for _ in 0..<place { segment = segment.flatMap { link.nextSegment(from: $0.end) } }
        guard let segment else { return nil }
        guard case .rest = spelling.parts[place] else { return try value(of: parameter, in: segment) }
        var values: [ParameterValue] = []
        for segment in link.segmentRanges(from: segment.start) { values.append(try value(of: parameter, in: segment)) }
        let value = ParameterValue.list(values)
        guard parameter.type.accepts(count: values.count) else { throw misfit(parameter, value.text, at: segment) }
        return value
    }

    private func value(of parameter: Parameter, in segment: LinkRange) throws(InvalidValue) -> ParameterValue {
        let bytes = link.bytes[segment.start..<segment.end]
        guard let value = parameter.type.segmentType?.parse(DecodedBytes(bytes)) else {
            throw misfit(parameter, PercentEncoding.decode(bytes), at: segment)
        }
        return value
    }

    private func misfit(_ parameter: Parameter, _ value: String, at segment: LinkRange) -> InvalidValue {
        InvalidValue(
            parameter: parameter.name,
            value: value,
            expected: parameter.type.expectation,
            offset: segment.start
        )
    }

    private func failure(_ invalid: InvalidValue, _ edge: Edge) -> LinkFailure {
        .invalidParameter(
            InvalidParameter(
                route: graph.routes[edge.child].name,
                parameter: invalid.parameter,
                value: invalid.value,
                isBare: invalid.isBare,
                expected: invalid.expected,
                offset: invalid.offset
            )
        )
    }

    // MARK: Query routes

    /// Opens query routes from the top for as long as a key of one is present; each takes at least one pair.
    private mutating func openQueryRoutes() throws(LinkFailure) {
        guard !query.isEmpty else { return }
        while let top = added.last ?? current.last {
            let edges = graph.queryEdges[graph.edges[top.edge].child]
            guard let index = edges.first(where: isOpened), let key = graph.edges[index].queryKey else { return }
            guard edges.last(where: isOpened) != index else {
                try openQueryRoute(Opening(edge: index, spelling: nil, start: link.spans.path.end), key)
                try insertInitials(beforeOpening: nil, isLenient: false)
                continue
            }
            let first = graph.edges[index]
            let candidates = edges.filter(isOpened)
            // Edges between the same two routes may share a key; their parameters tell them apart.
            guard candidates.allSatisfy({ graph.edges[$0].child == first.child && graph.edges[$0].queryKey == key })
            else {
                throw .conflictingDestinations(candidates.map { graph.routes[graph.edges[$0].child].name })
            }
            let openings = candidates.map { Opening(edge: $0, spelling: nil, start: link.spans.path.end) }
            try pushFirst(of: openings) { builder, candidate throws(LinkFailure) in
                try builder.openQueryRoute(candidate, key)
            }
            try insertInitials(beforeOpening: nil, isLenient: false)
        }
    }

    private mutating func openQueryRoute(_ opening: Opening, _ key: String) throws(LinkFailure) {
        let opener = query.index(of: key)
        try push(opening, .query, isLenient: false)
        // What opened a destination opens no other, even if it was only read.
        if let opener { query.take(opener) }
    }

    /// Tells whether the link opens a query route; a bare key only does where the route's parameter accepts it.
    private func isOpened(_ index: Int) -> Bool {
        let edge = graph.edges[index]
        guard let key = edge.queryKey, let pair = query.next(key) else { return false }
        guard pair.value == nil, let parameter = edge.queryParameters.first(where: { $0.keys.contains(key) }) else {
            return true
        }
        return parameter.type(ofKey: key)?.bareValue != nil
    }

    // MARK: Alternatives

    /// Refuses a key that the chosen edge does not read and another edge between the same two routes does.
    private func checkMixtures() throws(LinkFailure) {
        let unused = query.unusedPairs
        guard !unused.isEmpty else { return }
        var seen: Set<Int> = []
        for element in added where !graph.alternatives[element.edge].isEmpty && seen.insert(element.edge).inserted {
            let chosen = graph.edges[element.edge]
            let foreign = unused.filter { pair in !chosen.queryParameters.contains { reads($0, pair) } }
            for index in graph.alternatives[element.edge] where index != element.edge && graph.edges[index].isLinkable {
                let edge = graph.edges[index]
                for pair in foreign {
                    guard let parameter = edge.queryParameters.first(where: { reads($0, pair) }) else { continue }
                    let invalid = InvalidValue(
                        parameter: parameter.name,
                        value: query.item(pair).value,
                        isBare: pair.value == nil,
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
