/// Finds the state that a literal segment leads to, by hash: the cost does not grow with the number of literals.
///
/// One open-addressed table serves the whole catalog; a key is a state and the bytes of a segment.
struct LiteralTable: Sendable {
    private struct Slot {
        var state: Int32 = -1
        var next: Int32 = -1
        var textStart: Int32 = 0
        var textCount: Int32 = 0
    }

    private var slots: [Slot]
    private var text: [UInt8] = []
    private let mask: Int

    /// Lays out the table; at most half of its slots are taken.
    init(_ literals: [(state: Int, text: String, next: Int)]) {
        var capacity = 8
        while capacity < literals.count * 2 { capacity *= 2 }
        slots = [Slot](repeating: Slot(), count: capacity)
        mask = capacity - 1
        for literal in literals {
            let bytes = Array(literal.text.utf8)
            var index = Self.hash(bytes, state: Int32(literal.state)) & mask
            while slots[index].state >= 0 { index = (index + 1) & mask }
            slots[index] = Slot(
                state: Int32(literal.state),
                next: Int32(literal.next),
                textStart: Int32(text.count),
                textCount: Int32(bytes.count)
            )
            text += bytes
        }
    }

    /// Finds where a state goes with an encoded segment of a link; `nil` where no literal is equal to it.
    @inline(__always)
    func next(from state: Int, with segment: ArraySlice<UInt8>) -> Int? {
        var index = Self.hash(DecodedBytes(segment), state: Int32(truncatingIfNeeded: state)) & mask
        while slots[index].state >= 0 {
            let slot = slots[index]
            if slot.state == Int32(truncatingIfNeeded: state), isEqual(slot, segment) { return Int(slot.next) }
            index = (index + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func isEqual(_ slot: Slot, _ segment: ArraySlice<UInt8>) -> Bool {
        var index = Int(slot.textStart)
        let end = index + Int(slot.textCount)
        for byte in DecodedBytes(segment) {
            guard index < end, text[index] == byte else { return false }
            index += 1
        }
        return index == end
    }

    /// Mixes a state and bytes (FNV-1a, then one multiplicative step to fill the low bits).
    @inline(__always)
    private static func hash(_ bytes: some Sequence<UInt8>, state: Int32) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(UInt32(bitPattern: state))
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash ^= hash >> 29
        return Int(truncatingIfNeeded: hash &* 0x9E37_79B9_7F4A_7C15 >> 16) & Int.max
    }
}
