/// One sequence of segments by which links address an edge: a pattern with its optional parameters decided.
struct PathExpansion: Sendable {
    /// What one segment must be.
    enum Part: Sendable {
        /// This text, byte by byte.
        case literal(String)

        /// A text for the edge's parameter of this index.
        case parameter(Int)

        /// This and all further segments, for the edge's parameter of this index.
        case rest(Int)

        /// Literals with texts for the edge's parameters between them.
        case compound(CompoundSegment)

        /// Any text, dropped.
        case wildcard

        /// Any texts up to the end of the path, dropped.
        case wildcardRest

        /// The parameters that the segment holds.
        var parameters: [Int] {
            switch self {
            case .literal, .wildcard, .wildcardRest: []
            case .parameter(let index), .rest(let index): [index]
            case .compound(let segment): segment.parameters
            }
        }
    }

    /// The segments in order; none where the edge takes no segment.
    let parts: [Part]

    /// For each of the edge's parameters, the part that holds it; negative for none.
    private let places: [Int]

    /// The number of the edge's pattern that this is an expansion of: 0 for its path, then its aliases.
    let pattern: Int

    private init(_ parts: [Part], pattern: Int, parameterCount: Int) {
        self.parts = parts
        self.pattern = pattern
        places = (0..<parameterCount).map { index in parts.firstIndex { $0.parameters.contains(index) } ?? -1 }
    }

    /// Finds the part that holds a parameter.
    func place(of parameter: Int) -> Int? { places[parameter] < 0 ? nil : places[parameter] }

    /// Lists the expansions of an edge's patterns in the order that they are tried.
    static func all(of patterns: [PathPattern], parameters: [Parameter]) -> [PathExpansion] {
        var indexes: [Identifier: Int] = [:]
        for (index, parameter) in parameters.enumerated() { indexes[parameter.identifier] = index }
        return patterns.enumerated()
            .flatMap { number, pattern in
                pattern.expansions.map { segments in
                    PathExpansion(
                        segments.compactMap { segment in
                            switch segment {
                            case .literal(let text): .literal(text)
                            case .parameter(let name), .optional(let name): indexes[name].map { .parameter($0) }
                            case .rest(let name): indexes[name].map { .rest($0) }
                            case .compound(let pieces): .compound(CompoundSegment(pieces, indexes, parameters))
                            case .wildcard, .optionalWildcard: .wildcard
                            case .wildcardRest: .wildcardRest
                            }
                        },
                        pattern: number,
                        parameterCount: parameters.count
                    )
                }
            }
    }
}
