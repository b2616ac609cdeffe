/// One query pair of a link: where its name begins, its equals sign stands, and its value ends.
struct LinkPair: Hashable, Sendable {
    private let start: UInt16

    /// Zero where there is none; no pair begins at the first byte of a link.
    private let equals: UInt16

    private let end: UInt16

    /// Whether the name holds an escape or a plus, and so is no text as it stands.
    let isNameEncoded: Bool

    init(start: Int, equals: Int?, end: Int, isNameEncoded: Bool) {
        self.start = UInt16(truncatingIfNeeded: start)
        self.equals = UInt16(truncatingIfNeeded: equals ?? 0)
        self.end = UInt16(truncatingIfNeeded: end)
        self.isNameEncoded = isNameEncoded
    }

    /// The name, still encoded.
    var name: LinkRange { LinkRange(Int(start), Int(equals == 0 ? end : equals)) }

    /// The value, still encoded; `nil` where the pair has no equals sign.
    var value: LinkRange? { equals == 0 ? nil : LinkRange(Int(equals) + 1, Int(end)) }
}

extension LinkPair: ShortListElement {
    var word: UInt64 {
        UInt64(start) | UInt64(equals) << 16 | UInt64(end) << 32 | (isNameEncoded ? 1 << 48 : 0)
    }

    init(word: UInt64) {
        start = UInt16(truncatingIfNeeded: word)
        equals = UInt16(truncatingIfNeeded: word >> 16)
        end = UInt16(truncatingIfNeeded: word >> 32)
        isNameEncoded = word >> 48 != 0
    }
}
