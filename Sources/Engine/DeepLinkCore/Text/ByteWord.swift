/// Eight adjacent bytes as one number, the first lowest, for examining them in one step.
///
/// A byte `b` of `x` is zero if `(b - 1) & ~b` has its highest bit. The lowest such byte is exact, which suffices here
/// (Warren, *Hacker's Delight*, 2nd edition, §6-1).
struct ByteWord: Equatable {
    /// The number of bytes in a word.
    static let size = 8

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The bytes, the first lowest.
    let value: UInt64

    @inline(__always)
    private init(value: UInt64) { self.value = value }

    /// Loads the eight bytes from an index on, all of which must exist.
    @inline(__always)
    init(_ bytes: Span<UInt8>, from start: Int) {
        value = UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    /// Loads the bytes between two indexes, at most the first eight, padded with zeros.
    @inline(__always)
    init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
        let count = end - start
        if count >= Self.size {
            self.init(bytes, from: start)
        } else if end >= Self.size {
            self.init(value: ByteWord(bytes, from: end - Self.size).value &>> UInt64((Self.size - count) * 8))
        } else {
            var value: UInt64 = 0
            for index in (start..<end).reversed() { value = value << 8 | UInt64(bytes[index]) }
            self.init(value: value)
        }
    }

    /// The position of the first byte with a value, or eight if there is none.
    @inline(__always)
    func firstIndex(of byte: UInt8) -> Int {
        let difference = value ^ (Self.ones &* UInt64(byte))
        let zeros = (difference &- Self.ones) & ~difference & Self.highBits
        return zeros.trailingZeroBitCount / 8
    }

    /// Whether all eight bytes need no escape in a JSON string (RFC 8259 §7).
    @inline(__always)
    var isPlainJSON: Bool {
        // A byte below 0x20 borrows, and has no highest bit of its own.
        let controls = (value &- Self.ones &* 0x20) & ~value & Self.highBits
        return controls == 0 && !contains(UInt8(ascii: "\"")) && !contains(ASCII.backslash)
    }

    /// Returns whether the word contains a byte.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { firstIndex(of: byte) < Self.size }

    /// Returns whether a range of some bytes is equal to a range of others.
    @inline(__always)
    static func areEqual(
        _ bytes: Span<UInt8>,
        range: Range<Int>,
        others: Span<UInt8>,
        from first: Int
    ) -> Bool {
        let count = range.count
        guard count >= size else {
            for offset in 0..<count where bytes[range.lowerBound &+ offset] != others[first &+ offset] { return false }
            return true
        }
        var offset = 0
        while offset + size < count {
            guard ByteWord(bytes, from: range.lowerBound + offset) == ByteWord(others, from: first + offset) else {
                return false
            }
            offset += size
        }
        // The last word may overlap the one before.
        return ByteWord(bytes, from: range.upperBound - size) == ByteWord(others, from: first + count - size)
    }
}
