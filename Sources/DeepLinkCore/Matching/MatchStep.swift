/// One accepted pattern: its chain of edges, and the position of its segments in the link.
struct MatchStep: Hashable, Sendable {
    /// The index in ``MatchingAutomaton/chains``.
    let chain: ChainIndex

    /// The byte offset from which the pattern's segments are read.
    let start: Int

    /// The byte offset after the pattern's last segment.
    let end: Int
}

extension MatchStep: ShortListElement {
    // A link has at most 8,192 bytes, and an automaton fewer than 2^31 chains.
    var word: UInt64 { UInt64(chain.number) << 32 | UInt64(start) << 16 | UInt64(end) }

    init(word: UInt64) {
        self.init(
            chain: ChainIndex(Int(word >> 32)),
            start: Int(UInt16(truncatingIfNeeded: word >> 16)),
            end: Int(UInt16(truncatingIfNeeded: word))
        )
    }
}
