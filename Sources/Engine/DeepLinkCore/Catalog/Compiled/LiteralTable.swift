/// A hash table of the states after literal segments: the cost does not depend on the number of literals.
///
/// One open-addressed table serves the whole catalog. A key is a state and the bytes of a segment. Bytes are hashed and
/// compared in words of eight.
struct LiteralTable: Sendable {
    private struct Slot {
        var state: Int32 = -1
        var next: Int32 = -1
        var textStart: Int32 = 0
        var textCount: Int32 = 0
    }

    private var slots: [Slot]

    /// The texts, one after another.
    private var text: [UInt8] = []

    private let mask: Int

    /// Creates the table with at most half of its slots in use.
    init(_ literals: [(state: StateIndex, text: String, next: StateIndex)]) {
        var capacity = 8
        while capacity < literals.count * 2 { capacity *= 2 }
        slots = [Slot](repeating: Slot(), count: capacity)
        mask = capacity - 1
        for literal in literals {
            let bytes = Array(literal.text.utf8)
            var hash = Hash(state: literal.state, count: bytes.count)
            hash.append(bytes)
            var index = hash.value & mask
            while slots[index].state >= 0 { index = (index + 1) & mask }
            slots[index] = Slot(
                state: Int32(literal.state.number),
                next: Int32(literal.next.number),
                textStart: Int32(text.count),
                textCount: Int32(bytes.count)
            )
            text += bytes
        }
    }

    /// Returns the state after a segment of a link, or `nil` if no literal is equal to it.
    func next(from state: StateIndex, with segment: LinkRange, of link: [UInt8]) -> StateIndex? {
        let bytes = link.span
        var hash = Hash(state: state, count: segment.count)
        var start = segment.start
        while start < segment.end {
            let word = ByteWord(bytes, from: start, to: segment.end)
            hash.append(word)
            start += ByteWord.size
        }
        var index = hash.value & mask
        while slots[index].state >= 0 {
            let slot = slots[index]
            if slot.state == Int32(truncatingIfNeeded: state.number), isEqual(slot, segment: segment, bytes: bytes) {
                return StateIndex(slot.next)
            }
            index = (index + 1) & mask
        }
        // No literal contains a percent sign, so only a segment without an equal literal can be escaped.
        for place in segment.start..<segment.end where bytes[place] == ASCII.percent {
            return next(from: state, withEscaped: segment, of: link)
        }
        return nil
    }

    @inline(__always)
    private func isEqual(_ slot: Slot, segment: LinkRange, bytes: Span<UInt8>) -> Bool {
        Int(slot.textCount) == segment.count
            && ByteWord.areEqual(bytes, range: segment.indices, others: text.span, from: Int(slot.textStart))
    }

    // MARK: Escaped segments

    private func next(from state: StateIndex, withEscaped segment: LinkRange, of link: [UInt8]) -> StateIndex? {
        let decoded = Array(DecodedBytes(link[segment.start..<segment.end]))
        var hash = Hash(state: state, count: decoded.count)
        hash.append(decoded)
        var index = hash.value & mask
        while slots[index].state >= 0 {
            let slot = slots[index]
            let stretch = text[Int(slot.textStart)..<Int(slot.textStart + slot.textCount)]
            if slot.state == Int32(truncatingIfNeeded: state.number), decoded[...] == stretch {
                return StateIndex(slot.next)
            }
            index = (index + 1) & mask
        }
        return nil
    }
}

extension LiteralTable {
    /// A hash of a state and the bytes of a text, mixed word by word.
    private struct Hash {
        private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

        private var sum: UInt64

        /// Creates a hash for a number of bytes.
        @inline(__always)
        init(state: StateIndex, count: Int) {
            sum = UInt64(truncatingIfNeeded: state.number) &* Self.factor &+ UInt64(truncatingIfNeeded: count)
        }

        /// Adds the next eight bytes, or the remaining ones padded with zeros.
        @inline(__always)
        mutating func append(_ word: ByteWord) {
            sum = (sum ^ word.value) &* Self.factor
            sum ^= sum >> 32
        }

        /// Adds a whole text.
        mutating func append(_ bytes: [UInt8]) {
            for start in stride(from: 0, to: bytes.count, by: ByteWord.size) {
                append(ByteWord(bytes.span, from: start, to: bytes.count))
            }
        }

        /// The resulting hash.
        @inline(__always)
        var value: Int { Int(truncatingIfNeeded: sum >> 8) & Int.max }
    }
}
