/// A stretch of a link's bytes.
///
/// Two 16-bit offsets suffice, since a link has at most ``DeepLink/maximumByteCount`` bytes.
struct LinkRange: Hashable, Sendable {
    /// Offset of the first byte.
    let lower: UInt16

    /// Offset after the last byte.
    let upper: UInt16

    init(_ lower: Int, _ upper: Int) {
        self.lower = UInt16(truncatingIfNeeded: lower)
        self.upper = UInt16(truncatingIfNeeded: upper)
    }

    var start: Int { Int(lower) }
    var end: Int { Int(upper) }
    var count: Int { end - start }
    var isEmpty: Bool { lower == upper }

    /// The stretch as indexes.
    var indices: Range<Int> { start..<end }
}
