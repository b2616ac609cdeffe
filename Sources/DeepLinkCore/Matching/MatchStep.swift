/// One accepted pattern: which chain of edges, and where in the link its segments stand.
struct MatchStep: Hashable, Sendable {
    /// Index into ``MatchingAutomaton/chains``.
    let chain: ChainIndex

    /// Byte offset from which the pattern's segments are read.
    let start: Int

    /// Byte offset after the pattern's last segment.
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
