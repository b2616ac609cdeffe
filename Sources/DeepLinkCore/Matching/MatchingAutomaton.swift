/// Holds what may follow each route, as states that one path segment leads between.
///
/// Every node of the catalog has a root state; its spellings form a tree below it, containers expanded in place.
/// Reaching the end of a spelling accepts a chain of edges: the containers passed through, and the edge itself.
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

    /// Reads one segment, or all that are left, as a parameter.
    struct Capture: Sendable {
        /// An edge that has the parameter, for reports; edges that read a segment alike share one capture.
        var edge: Int

        /// The number of that edge's spelling.
        var spelling: Int

        /// The number of the parameter among those of that edge.
        var parameter: Int

        let type: ScalarType

        /// Whether all segments that are left are read.
        let isRest: Bool

        let next: Int

        /// Captures of the same pattern that come before this one although they are less specific.
        ///
        /// Where one of them fits, this one waits for it. Indexes into ``State/captures``.
        var predecessors: [Int] = []

        /// The captures that may wait for this one.
        var successors: [Int] = []
    }

    /// Is what reaching the end of a spelling accepts.
    struct Chain: Sendable {
        /// Container edges from the outside in, then the edge that took the segments.
        let edges: [Int]

        /// How the segments spell the last edge; `nil` where it is opened without the link naming it.
        let spelling: Int?
    }

    let states: [State]
    let literals: LiteralTable

    /// For each node of the catalog, the state before its first segment.
    let roots: [Int]

    /// Everything that can be accepted.
    let chains: [Chain]

    /// The chain of `entry`'s initial child, which answers an empty path.
    let entryInitial: Int?
}
