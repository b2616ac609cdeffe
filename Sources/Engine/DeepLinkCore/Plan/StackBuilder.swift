/// The stack of a matched path under construction: initial children inserted, values bound, query routes opened.
///
/// The catalog is passed from step to step, since loading it from a property would retain it each time.
struct StackBuilder {
    private let current: [StackElement]
    private(set) var query: QueryBinder

    /// The destinations that the link adds, stored apart from earlier ones, since trying alternatives copies these.
    private var added: [StackElement] = []

    /// The edge matches of the added destinations that have alternatives.
    private var ways: [EdgeMatch] = []

    /// The last bound parameter, as an index into the parameters of its edge.
    private var parameterInWork = 0

    /// Creates a builder that continues from a current stack, which may be empty.
    init(_ link: DeepLink, from current: [StackElement], in catalog: RouteCatalog) {
        self.current = current
        query = QueryBinder(link, plusIsSpace: catalog.plusIsSpace)
    }

    /// The whole stack built so far.
    var stack: [StackElement] { current.isEmpty ? added : current + added }

    /// The edge of the topmost destination.
    private var top: EdgeIndex? {
        added.isEmpty ? current.isEmpty ? nil : current[current.count - 1].edge : added[added.count - 1].edge
    }

    /// The query pairs that no destination used.
    var unusedQuery: [QueryItem] { query.unusedPairs.map(query.item) }

    /// Builds the whole stack.
    ///
    /// - Throws: ``ResolutionError`` for a parameter that does not fit, or destinations that exclude each other.
    mutating func build(_ steps: ShortList<MatchStep>, in catalog: RouteCatalog) throws(ResolutionError) {
        try buildPath(steps, in: catalog)
        try openQueryRoutes(catalog)
        try checkMixtures(catalog)
    }

    /// Builds the stack of a path alone, without query routes.
    ///
    /// - Throws: ``ResolutionError`` for a parameter that does not fit.
    mutating func buildPath(_ steps: ShortList<MatchStep>, in catalog: RouteCatalog) throws(ResolutionError) {
        try append(steps, isLenient: false, in: catalog)
    }

    /// Builds the stack of a partial match, without query routes and without values that do not fit.
    mutating func buildPrefix(_ steps: ShortList<MatchStep>, in catalog: RouteCatalog) {
        // Lenient appending never throws.
        try? append(steps, isLenient: true, in: catalog)
    }

    // MARK: The path

    private mutating func append(
        _ steps: ShortList<MatchStep>,
        isLenient: Bool,
        in catalog: RouteCatalog
    ) throws(ResolutionError) {
        added.reserveCapacity(steps.count * 2 + 2)
        for number in 0..<steps.count {
            let step = steps[number]
            let chain = catalog.automaton.chains[step.chain]
            for (place, edge) in chain.edges.enumerated() {
                let isLast = place == chain.edges.count - 1
                try open(
                    EdgeMatch(
                        edge: edge,
                        expansion: isLast ? chain.expansion : catalog.graph.edges[edge].emptyExpansion,
                        start: step.start
                    ),
                    isLenient: isLenient,
                    in: catalog
                )
            }
        }
        try insertInitials(beforeOpening: nil, isLenient: isLenient, catalog)
    }

    /// Opens an edge or, among the edges that share its pattern, the first whose parameters fit.
    private mutating func open(
        _ match: EdgeMatch,
        isLenient: Bool,
        in catalog: RouteCatalog
    ) throws(ResolutionError) {
        guard !catalog.graph.packed[match.edge].isAlone else {
            try insertInitials(beforeOpening: match.edge, isLenient: isLenient, catalog)
            return try push(match, origin: .path, isLenient: isLenient, in: catalog)
        }
        do throws(ResolutionError) {
            try pushFirst(of: alternatives(to: match, catalog)) { builder, candidate throws(ResolutionError) in
                try builder.insertInitials(beforeOpening: candidate.edge, isLenient: false, catalog)
                try builder.push(candidate, origin: .path, isLenient: false, in: catalog)
            }
        } catch {
            guard isLenient else { throw error }
            try insertInitials(beforeOpening: match.edge, isLenient: true, catalog)
            try push(match, origin: .path, isLenient: true, in: catalog)
        }
    }

    /// Tries alternatives in order, each from the same state.
    ///
    /// If none fits, throws the failure of the alternative that got furthest in its parameters. If several fail at one
    /// parameter, their expectations are joined.
    private mutating func pushFirst(
        of candidates: [EdgeMatch],
        _ attempt: (inout StackBuilder, EdgeMatch) throws(ResolutionError) -> Void
    ) throws(ResolutionError) {
        let before = self
        var furthest: (parameter: Int, failure: ResolutionError)?
        for candidate in candidates {
            do throws(ResolutionError) {
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

    /// Returns an error joined with the expectation of an alternative for the same value.
    private func joined(_ one: ResolutionError, _ other: ResolutionError) -> ResolutionError {
        guard case .invalidParameter(let one) = one, case .invalidParameter(let two) = other,
            one.parameter.bytewise == two.parameter.bytewise, one.offset == two.offset,
            one.expected.bytewise != two.expected.bytewise
        else { return one }
        return .invalidParameter(one.expecting("\(one.expected) or \(two.expected)"))
    }

    /// Returns the edges between the same two routes that the same segments open, in the order of the list.
    ///
    /// Edges whose path parameters do not accept the segments aren't candidates: the path is matched already, and only
    /// the query is still to be read.
    private func alternatives(to match: EdgeMatch, _ catalog: RouteCatalog) -> [EdgeMatch] {
        guard let number = match.expansion else { return [match] }
        return catalog.graph.expansions(like: number, of: match.edge)
            .compactMap { index, expansion in
                guard index != match.edge else { return match }
                let edge = catalog.graph.edges[index]
                let candidate = EdgeMatch(edge: index, expansion: expansion, start: match.start)
                var splits: Splits = [:]
                do throws(ValueError) {
                    for parameter in edge.parameters.indices where edge.isInPath[parameter] {
                        _ = try pathValue(of: parameter, edge: edge, match: candidate, splits: &splits)
                    }
                    return candidate
                } catch {
                    return nil
                }
            }
    }

    /// Inserts the initial child of the top, and then its own, unless the path continues to it or to a tab beside it.
    private mutating func insertInitials(
        beforeOpening next: EdgeIndex?,
        isLenient: Bool,
        _ catalog: RouteCatalog
    ) throws(ResolutionError) {
        guard let top, var initial = catalog.graph.packed[top].childInitial else { return }
        if let next,
            catalog.graph.packed[next].isTab || catalog.graph.packed[next].child == catalog.graph.packed[initial].child
        {
            return
        }
        while true {
            let match = EdgeMatch(edge: initial, expansion: nil, start: query.link.spans.path.end)
            try push(match, origin: .initial, isLenient: isLenient, in: catalog)
            guard let further = catalog.graph.packed[initial].childInitial else { return }
            initial = further
        }
    }

    private mutating func push(
        _ match: EdgeMatch,
        origin: StackElement.Origin,
        isLenient: Bool,
        in catalog: RouteCatalog
    ) throws(ResolutionError) {
        var element = StackElement(edge: match.edge, origin: origin)
        if !catalog.graph.packed[match.edge].isAlone { ways.append(match) }
        guard catalog.graph.packed[match.edge].hasParameters else {
            added.append(element)
            return
        }
        if match.expansion == 0, let value = plainValue(of: match, catalog) {
            element.arguments = [BoundParameter(name: catalog.graph.valueName(of: match.edge), value: value)]
            added.append(element)
            return
        }
        let edge = catalog.graph.edges[match.edge]
        var splits: Splits = [:]
        for index in edge.parameters.indices where edge.parameters[index].inheritance == nil {
            parameterInWork = index
            do throws(ValueError) {
                let value =
                    try edge.isInPath[index]
                    ? pathValue(of: index, edge: edge, match: match, splits: &splits)
                    : query.value(of: edge.parameters[index])
                guard let value else { continue }
                element.arguments.append(BoundParameter(name: edge.parameters[index].name, value: value))
            } catch {
                guard isLenient else { throw failure(error, edge: edge, in: catalog) }
            }
        }
        if edge.inherits {
            element.arguments = catalog.graph.inheriting(element.arguments, of: edge, above: stack)
        }
        added.append(element)
    }

    private func failure(_ invalid: ValueError, edge: Edge, in catalog: RouteCatalog) -> ResolutionError {
        .invalidParameter(
            ParameterError(
                route: catalog.graph.routes[edge.child].name,
                parameter: invalid.parameter,
                value: invalid.value,
                isBare: invalid.isBare,
                expected: edge.linkParameter?.name.bytewise == invalid.parameter.bytewise
                    ? "a link" : invalid.expected,
                range: invalid.range
            )
        )
    }

    // MARK: Query routes

    /// Opens query routes from the top as long as the query has a key for one, each consuming at least one pair.
    private mutating func openQueryRoutes(_ catalog: RouteCatalog) throws(ResolutionError) {
        guard !query.isEmpty else { return }
        while let top, catalog.graph.packed[top].childHasQueries {
            let edges = openedEdges(catalog.graph.packed[top].child, in: catalog)
            guard let index = edges.first(where: { isOpened($0, in: catalog) }),
                let key = catalog.graph.edges[index].queryKey
            else { return }
            guard edges.count > 1, edges.last(where: { isOpened($0, in: catalog) }) != index else {
                try openQueryRoute(
                    EdgeMatch(edge: index, expansion: nil, start: query.link.spans.path.end),
                    key: key,
                    in: catalog
                )
                try insertInitials(beforeOpening: nil, isLenient: false, catalog)
                continue
            }
            let first = catalog.graph.edges[index]
            let candidates = edges.filter { isOpened($0, in: catalog) }
            // Edges between the same two routes may share a key. Their parameters distinguish them.
            guard
                candidates.allSatisfy({
                    catalog.graph.edges[$0].child == first.child && catalog.graph.edges[$0].queryKey == key
                })
            else {
                throw .conflictingDestinations(
                    candidates.map { catalog.graph.routes[catalog.graph.edges[$0].child].name }
                )
            }
            let matches = candidates.map { EdgeMatch(edge: $0, expansion: nil, start: query.link.spans.path.end) }
            try pushFirst(of: matches) { builder, candidate throws(ResolutionError) in
                try builder.openQueryRoute(candidate, key: key, in: catalog)
            }
            try insertInitials(beforeOpening: nil, isLenient: false, catalog)
        }
    }

    /// Returns the edges that a key of the link may open from a route.
    private func openedEdges(_ route: Int, in catalog: RouteCatalog) -> [EdgeIndex] {
        let edges = catalog.graph.queryEdges[route]
        guard edges.count > 8 else { return edges }
        return query.openNames.flatMap { catalog.graph.queryEdges(from: route, openedBy: $0) }.sorted()
    }

    private mutating func openQueryRoute(
        _ match: EdgeMatch,
        key: String,
        in catalog: RouteCatalog
    ) throws(ResolutionError) {
        let opener = query.index(of: key)
        try push(match, origin: .query, isLenient: false, in: catalog)
        // A pair that opened a destination opens no other, even if it was only read.
        if let opener { query.take(opener) }
    }

    /// Returns whether the link opens a query route, by a bare key only if the route's parameter accepts it.
    private func isOpened(_ index: EdgeIndex, in catalog: RouteCatalog) -> Bool {
        let edge = catalog.graph.edges[index]
        guard let key = edge.queryKey, let pair = query.next(key) else { return false }
        // An ignored value that does not fit opens nothing.
        guard pair.value == nil || edge.ignoresOpener,
            let parameter = edge.queryParameters.first(where: { $0.reads(key) })
        else { return true }
        return parameter.type(ofKey: key).map { query.fits(pair, type: $0) } ?? false
    }

    // MARK: Alternatives

    /// Rejects a key that the chosen edge does not read, although another edge for the same segments or the same key
    /// does.
    private func checkMixtures(_ catalog: RouteCatalog) throws(ResolutionError) {
        let unused = query.unused
        guard unused != 0 else { return }
        var seen: Set<Way> = []
        for way in ways where seen.insert(Way(edge: way.edge, expansion: way.expansion)).inserted {
            let chosen = catalog.graph.edges[way.edge]
            let foreign = chosen.queryParameters.reduce(unused) { $0 & ~query.named($1) }
            guard foreign != 0 else { continue }
            for index in Self.alternatives(to: way, catalog.graph) where index != way.edge {
                let edge = catalog.graph.edges[index]
                var first: (pair: Int, parameter: Parameter)?
                for parameter in edge.queryParameters {
                    guard let pair = QueryBinder.first(of: query.named(parameter) & foreign) else { continue }
                    if pair < first?.pair ?? Int.max { first = (pair, parameter) }
                }
                guard let first else { continue }
                let pair = query.pair(first.pair)
                let invalid = ValueError(
                    parameter: first.parameter.name,
                    value: query.item(pair).value,
                    isBare: pair.value == nil,
                    expected: "none, since the other parameters open it in another way",
                    range: pair.value ?? pair.name
                )
                throw failure(invalid, edge: edge, in: catalog)
            }
        }
    }
}

extension StackBuilder {
    /// An edge match without its position: the opening of a destination anywhere in the link.
    private struct Way: Hashable {
        let edge: EdgeIndex
        let expansion: Int?
    }

    /// Returns the alternatives to a match: the edges that the same segments or the same key open.
    private static func alternatives(to way: EdgeMatch, _ graph: CatalogGraph) -> [EdgeIndex] {
        if let expansion = way.expansion { return graph.expansions(like: expansion, of: way.edge).map { $0.edge } }
        // An initial child that the link does not name has neither.
        guard let key = graph.edges[way.edge].queryKey else { return [] }
        return graph.alternatives[way.edge].filter { graph.edges[$0].isLinkable && graph.edges[$0].queryKey == key }
    }
}

/// The edge by which a link opens a destination, and the position of its path segments.
struct EdgeMatch {
    /// The index in ``RouteCatalog/edges``.
    let edge: EdgeIndex

    /// The expansion of the edge that the segments match, or `nil` if the link does not name it in its path.
    let expansion: Int?

    /// The byte offset from which the segments are read.
    let start: Int
}
