/// The ranges of one link's parts in its bytes, as the parser found them.
struct LinkSpans: Hashable, Sendable {
    /// The scheme, without its colon, as written.
    var scheme = LinkRange(0, 0)

    /// The host as written, empty if there is none.
    var host = LinkRange(0, 0)

    /// The port, unless absent or the scheme's default.
    var port: UInt16?

    /// The path, from its first slash.
    var path = LinkRange(0, 0)

    /// The query after its question mark, empty if there is none.
    var query = LinkRange(0, 0)

    /// The fragment after its number sign.
    var fragment: LinkRange?

    /// Whether the scheme is `http` or `https`, in any case.
    var isWeb = false
}

/// A range of a link's bytes.
///
/// Two 16-bit offsets suffice, since a link has at most ``DeepLink/maximumByteCount`` bytes.
struct LinkRange: Hashable, Sendable {
    /// The offset of the first byte.
    let lower: UInt16

    /// The offset after the last byte.
    let upper: UInt16

    init(_ lower: Int, _ upper: Int) {
        self.lower = UInt16(truncatingIfNeeded: lower)
        self.upper = UInt16(truncatingIfNeeded: upper)
    }

    var start: Int { Int(lower) }
    var end: Int { Int(upper) }
    var count: Int { end - start }
    var isEmpty: Bool { lower == upper }

    /// The range as indices into the bytes of the link.
    var indices: Range<Int> { start..<end }
}

/// The offsets of one query pair: the start of its name, its equals sign, and the end of its value.
struct LinkPair: Hashable, Sendable {
    private let start: UInt16

    /// The offset of the equals sign, or 0 if there is none: no pair begins at the first byte of a link.
    private let equals: UInt16

    private let end: UInt16

    /// Whether the name holds an escape or a plus, and so must be decoded.
    let isNameEncoded: Bool

    init(start: Int, equals: Int?, end: Int, isNameEncoded: Bool) {
        self.start = UInt16(truncatingIfNeeded: start)
        self.equals = UInt16(truncatingIfNeeded: equals ?? 0)
        self.end = UInt16(truncatingIfNeeded: end)
        self.isNameEncoded = isNameEncoded
    }

    /// The name, still encoded.
    var name: LinkRange { LinkRange(Int(start), Int(equals == 0 ? end : equals)) }

    /// The value, still encoded, or `nil` without an equals sign.
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

/// The path of a link for walking: the link's bytes, and the offset of the path's end.
struct PathBytes {
    let bytes: [UInt8]
    let end: Int

    /// Finds the first non-empty segment at or after a position of the path: a slash or the path's end.
    ///
    /// Segments are found again each time instead of being stored, so that matching allocates nothing.
    @inline(__always)
    func nextSegment(from position: Int) -> LinkRange? {
        let bytes = bytes.span
        var start = position
        while start < end, bytes[start] == ASCII.slash { start &+= 1 }
        guard start < end else { return nil }
        var stop = start
        while stop + ByteWord.size <= bytes.count {
            let slash = ByteWord(bytes, from: stop).firstIndex(of: ASCII.slash)
            stop += slash
            if slash < ByteWord.size || stop >= end { return LinkRange(start, min(stop, end)) }
        }
        while stop < end, bytes[stop] != ASCII.slash { stop &+= 1 }
        return LinkRange(start, stop)
    }

    /// Counts the segments from a position on.
    func segmentCount(from position: Int) -> Int {
        var count = 0
        var next = nextSegment(from: position)
        while let segment = next {
            count += 1
            next = nextSegment(from: segment.end)
        }
        return count
    }
}

/// A list of small values, usually few: the first eight are stored inline, without allocating, and the others on the
/// heap.
///
/// A value is stored as one word, and eight words as a vector, so that a copy is a plain memory copy.
struct ShortList<Element: ShortListElement>: RandomAccessCollection, Sendable {
    private var first = SIMD8<UInt64>()
    private var others: [UInt64] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> Element {
        @inline(__always)
        get { Element(word: position < first.scalarCount ? first[position] : others[position - first.scalarCount]) }
    }

    /// Appends a value.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count < first.scalarCount { first[count] = element.word } else { others.append(element.word) }
        count += 1
    }

    /// Removes the last value of a list that is not empty.
    @inline(__always)
    mutating func removeLast() {
        if count > first.scalarCount { others.removeLast() }
        count -= 1
    }
}

/// A value that fits into one word, so that a ``ShortList`` can store it.
protocol ShortListElement: Sendable {
    /// The value as a word.
    var word: UInt64 { get }

    /// Creates a value from its word.
    init(word: UInt64)
}
