/// Records one accepted pattern: which chain of edges, and where in the link its segments begin.
struct MatchStep: Hashable, Sendable {
    /// Index into ``MatchingAutomaton/chains``.
    let chain: Int

    /// Byte offset from which the pattern's segments are read.
    let start: Int

    /// Byte offset after the pattern's last segment.
    let end: Int
}
