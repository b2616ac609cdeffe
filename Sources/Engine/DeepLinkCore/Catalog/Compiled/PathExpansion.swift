/// One sequence of segments that addresses an edge: a pattern with each optional parameter present or absent.
struct PathExpansion: Sendable {
    /// The condition on one segment.
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

        /// Whether all further segments are read.
        var isRest: Bool {
            switch self {
            case .rest, .wildcardRest: true
            case .literal, .parameter, .compound, .wildcard: false
            }
        }

        /// The parameters that the segment holds.
        var parameters: [Int] {
            switch self {
            case .literal, .wildcard, .wildcardRest: []
            case .parameter(let index), .rest(let index): [index]
            case .compound(let segment): segment.parameters
            }
        }
    }

    /// The segments in order, empty if the edge consumes no segment.
    let parts: [Part]

    /// The index of the part that holds each of the edge's parameters, or a negative number if none does.
    private let places: [Int]

    /// The index of the edge's expanded pattern: 0 for its path, then its aliases.
    let pattern: Int

    private init(_ parts: [Part], pattern: Int, parameterCount: Int) {
        self.parts = parts
        self.pattern = pattern
        places = (0..<parameterCount).map { index in parts.firstIndex { $0.parameters.contains(index) } ?? -1 }
    }

    /// Returns the index of the part that holds a parameter, or `nil` if none does.
    func place(of parameter: Int) -> Int? { places[parameter] < 0 ? nil : places[parameter] }

    /// Returns the expansions of an edge's patterns in the order in which they are tried.
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
                            case .compound(let pieces):
                                .compound(CompoundSegment(pieces, indexes: indexes, parameters: parameters))
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
