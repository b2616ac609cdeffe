/// The check that some link matches each path in a list of edges.
enum ListedPathCheck {
    /// The maximum number of words up to which a path is compared word by word.
    private static let maximumWordCount = 64

    /// The maximum number of steps for comparing paths, beyond which nothing is reported.
    private static let budget = 200_000

    /// A path of a list: one expansion of an edge's pattern.
    private struct Listed {
        let edge: EdgeIndex
        let expansion: Int
        let segments: [Segment]
        let rank: Int
    }

    /// The texts that one segment accepts.
    private enum Segment {
        case literal(String)
        case one(ScalarType)
        case rest(ParameterType)
        case compound(CompoundSegment)

        var specificity: Int {
            switch self {
            case .literal: -1
            case .one(let type): Specificity(type).rawValue
            case .rest: Specificity.rest.rawValue
            case .compound: Specificity.compound.rawValue
            }
        }
    }

    /// Warns of each path that no text reaches, because another in its list takes precedence for each of its texts: a
    /// more specific path, or an earlier one that is as specific and accepts every query.
    ///
    /// - Complexity: linear in the pairs of paths in each list, which the budget bounds.
    static func issues(of graph: CatalogGraph) -> [CatalogIssue] {
        var issues: [CatalogIssue] = []
        var budget = budget
        var done: Set<EdgeIndex> = []
        for index in graph.edges.indices.map({ EdgeIndex($0) }) where !graph.alternatives[index].isEmpty {
            guard let first = graph.alternatives[index].first, done.insert(first).inserted else { continue }
            let paths = paths(of: graph.alternatives[index], in: graph)
            for edge in graph.alternatives[index] where graph.edges[edge].takesPath {
                for pattern in graph.edges[edge].patterns.indices {
                    let own = paths.filter { path in
                        path.edge == edge && graph.edges[edge].expansions[path.expansion].pattern == pattern
                    }
                    var taking: Listed?
                    let isDead =
                        !own.isEmpty
                        && own.allSatisfy { path in
                            let found = taker(of: path, among: paths, in: graph, budget: &budget)
                            taking = taking ?? found
                            return found != nil
                        }
                    if isDead, let taking { issues.append(issue(edge, pattern: pattern, taking: taking, in: graph)) }
                }
            }
        }
        return issues
    }

    private static func issue(
        _ index: EdgeIndex,
        pattern: Int,
        taking: Listed,
        in graph: CatalogGraph
    ) -> CatalogIssue {
        let (edge, other) = (graph.edges[index], graph.edges[taking.edge])
        let text = other.patterns[other.expansions[taking.expansion].pattern].text
        return CatalogIssue(
            .unreachablePath,
            at: edge.location,
            message: "No link takes the path `\(edge.patterns[pattern].text)` of `\(edge.routeName)`: "
                + "in this list `\(text)` takes each that fits it.",
            hint:
                "Write it before the other one, narrow the other one's parameters, or say `linkable: false` if only the "
                + "app opens it."
        )
    }

    private static func paths(of list: [EdgeIndex], in graph: CatalogGraph) -> [Listed] {
        var paths: [Listed] = []
        for index in list where graph.edges[index].takesPath {
            let edge = graph.edges[index]
            for (number, expansion) in edge.expansions.enumerated() where !expansion.parts.isEmpty {
                let segments = expansion.parts.map { part -> Segment in
                    switch part {
                    case .literal(let text): .literal(text)
                    case .parameter(let index):
                        edge.parameters[index].type.segmentType.map { .one($0) } ?? .one(.anyText)
                    case .rest(let index): .rest(edge.parameters[index].type)
                    case .compound(let segment): .compound(segment)
                    case .wildcard: .one(.anyText)
                    case .wildcardRest: .rest(.list(of: .anyText, min: nil, max: nil))
                    }
                }
                paths.append(Listed(edge: index, expansion: number, segments: segments, rank: paths.count))
            }
        }
        return paths
    }

    // MARK: Comparing

    /// Returns any path that takes precedence over another one for each of its texts.
    private static func taker(
        of path: Listed,
        among paths: [Listed],
        in graph: CatalogGraph,
        budget: inout Int
    ) -> Listed? {
        for other in paths where other.edge != path.edge {
            budget -= 1 + path.segments.count
            guard budget >= 0 else { return nil }
            if takes(other, path, in: graph, budget: &budget) { return other }
        }
        // An enumeration is a list of words, each of which another path may match.
        let place = path.segments.firstIndex { segment in
            if case .one(.enumeration(let words)) = segment { 2...maximumWordCount ~= words.count } else { false }
        }
        guard let place, case .one(.enumeration(let words)) = path.segments[place] else { return nil }
        var found: Listed?
        for word in words {
            var segments = path.segments
            segments[place] = .one(.enumeration([word]))
            let one = Listed(edge: path.edge, expansion: path.expansion, segments: segments, rank: path.rank)
            found = taker(of: one, among: paths, in: graph, budget: &budget)
            guard found != nil else { return nil }
        }
        return found
    }

    /// Returns whether a path fits each text of another one, and is always preferred to it.
    private static func takes(_ one: Listed, _ other: Listed, in graph: CatalogGraph, budget: inout Int) -> Bool {
        guard one.segments.count == other.segments.count else { return false }
        var (isPreferred, isSame) = (false, true)
        for (own, their) in zip(one.segments, other.segments) {
            if !isPreferred {
                guard own.specificity <= their.specificity else { return false }
                isPreferred = own.specificity < their.specificity
                if case .compound(let narrow) = own, case .compound(let wide) = their {
                    if TypeOverlap.isNarrower(wide, than: narrow, budget: &budget) { return false }
                    isPreferred = TypeOverlap.isNarrower(narrow, than: wide, budget: &budget)
                }
            }
            guard includes(own, their, budget: &budget) else { return false }
            isSame = isSame && includes(their, own, budget: &budget)
        }
        // For the same pattern, an edge that reads the query is meant to be chosen by it.
        return isPreferred
            || one.rank < other.rank && alwaysFits(graph.edges[one.edge])
                && (!isSame || graph.edges[other.edge].queryParameters.isEmpty)
    }

    /// Returns whether a segment accepts every text of another one.
    private static func includes(_ wide: Segment, _ narrow: Segment, budget: inout Int) -> Bool {
        switch (wide, narrow) {
        case (.literal(let one), .literal(let other)): return one.bytewise == other.bytewise
        case (.literal(let text), .one(.enumeration(let words))):
            return words.allSatisfy { $0.bytewise == text.bytewise }
        case (.one(let type), .literal(let text)): return type.value(of: text) != nil
        case (.one(let type), .one(let other)): return TypeOverlap.includes(type, other, budget: &budget)
        case (.one(let type), .compound): return type == .anyText
        case (.compound(let segment), .literal(let text)): return segment.accepts(text)
        case (.compound(let segment), .one(.enumeration(let words))): return words.allSatisfy(segment.accepts)
        case (.compound(let one), .compound(let other)):
            guard one.prefix == other.prefix, one.parts.map({ $0.literal }) == other.parts.map({ $0.literal }) else {
                return false
            }
            return zip(one.parts, other.parts).allSatisfy { TypeOverlap.includes($0.type, $1.type, budget: &budget) }
        case (.rest(.list(let type, nil, nil)), .rest(.list(let other, _, _))):
            return TypeOverlap.includes(type, other, budget: &budget)
        default: return false
        }
    }

    /// Returns whether an edge fits every query.
    private static func alwaysFits(_ edge: Edge) -> Bool {
        edge.queryParameters.allSatisfy { parameter in
            guard !parameter.isRequired else { return false }
            return switch parameter.type {
            case .scalar(let type): parameter.ignoresInvalid || type == .anyText
            case .list(let type, nil, nil): parameter.ignoresInvalid || type == .anyText
            case .list, .object: parameter.ignoresInvalid
            }
        }
    }
}
