/// Holds what may follow each route, as states that one path segment leads between.
///
/// Every node of the catalog has a root state; its patterns form a tree below it, containers expanded in place.
/// Reaching the end of a pattern accepts a chain of edges: the containers passed through, and the edge itself.
struct MatchingAutomaton: Sendable {
    /// What one state can do with the next segment.
    struct State: Sendable {
        /// The parameters to try after the literals, most specific first.
        var captures: [Capture] = []

        /// The chain of edges that ends here, as an index into ``MatchingAutomaton/chains``.
        var chain: Int?

        /// The literals that lead on, for suggestions.
        var literals: [String] = []

        /// Whether a further segment could lead on.
        var hasChildren: Bool { !literals.isEmpty || !captures.isEmpty }
    }

    /// Reads one segment as a parameter.
    struct Capture: Sendable {
        let edge: Int
        let parameter: Int
        let type: ParameterType
        let next: Int
    }

    let states: [State]
    let literals: LiteralTable

    /// For each node of the catalog, the state before its first segment.
    let roots: [Int]

    /// The accepted chains: container edges from the outside in, then the edge that took the segments.
    let chains: [[Int]]

    /// The chain of `entry`'s initial child, which answers an empty path.
    let entryInitial: Int?
}
