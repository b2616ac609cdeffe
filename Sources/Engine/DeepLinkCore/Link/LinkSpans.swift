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

/// The part of a link that routes are matched against: its path without the origin's prefix.
///
/// If the origin reads the host as a segment, the part begins with the host. If the origin routes the fragment, the
/// part continues with the fragment. If these are not adjacent, ``link`` is a reference assembled from them.
struct RoutedPath: Sendable {
    /// The link that is matched.
    let link: DeepLink

    /// The byte offset from which segments are read: at a slash, a segment's first byte, or the path's end.
    let start: Int

    /// The offsets in the link as sent, for an assembled reference, or `nil` if the offsets are the link's own.
    var offsets: LinkOffsets?

    /// The link as it was sent, or as another link's query holds it.
    var source: DeepLink { offsets?.source ?? link }

    /// The fragment's text, as sent, or `nil` if an origin routes it.
    var unusedFragment: String? {
        guard offsets?.hasFragment != true else { return nil }
        let source = source
        guard let fragment = source.spans.fragment, !fragment.isEmpty else { return nil }
        return String(decoding: source.bytes[fragment.indices], as: UTF8.self)
    }

    /// Whether the path and the query are empty.
    var isEmpty: Bool { link.nextSegment(from: start) == nil && link.pairRanges.isEmpty }

    /// Returns the offset in the link as sent for an offset in the matched link.
    func original(_ offset: Int) -> Int { offsets?.original(of: offset) ?? offset }

    /// Returns the range in the link as sent for a range in the matched link.
    func original(_ range: LinkRange) -> LinkRange {
        guard let offsets else { return range }
        if let code = offsets.code, !range.isEmpty { return code }
        let start = offsets.original(of: range.start)
        // The following byte may come from another part of the link.
        return LinkRange(start, range.isEmpty ? start : max(start, offsets.original(of: range.end - 1) + 1))
    }
}

/// A map from the offsets of an assembled reference to offsets in the link as sent.
///
/// If more than a link's path is routed (its host, its fragment, a link in its query), the matched text differs from
/// the link as sent. Offsets are always reported in the link as sent.
final class LinkOffsets: Sendable {
    /// A range of the matched text that corresponds to a range or a byte of the link as sent.
    struct Run: Sendable {
        /// The offset of the first byte in the matched text.
        let place: Int

        /// The offset of the corresponding byte in the link as sent.
        let original: Int

        /// Whether each further byte corresponds to the next one, and not all to the same one.
        let isStretch: Bool
    }

    /// The link from which the text was assembled.
    let source: DeepLink

    /// Whether the text includes that link's fragment.
    let hasFragment: Bool

    private let runs: [Run]

    /// The range of the code in the link as sent, if the whole text stands for a code.
    let code: LinkRange?

    /// The offsets of the source link, if it comes from the query of another one.
    private let outer: LinkOffsets?

    init(_ runs: [Run], in source: DeepLink, within outer: LinkOffsets?, hasFragment: Bool = false) {
        self.runs = runs
        self.hasFragment = hasFragment
        self.source = source
        self.outer = outer
        code = outer?.code
    }

    /// Creates the map of a target that stands for a code: all of its bytes correspond to the code.
    init(code: LinkRange, of target: DeepLink) {
        runs = [Run(place: 0, original: code.start, isStretch: false)]
        hasFragment = false
        source = target
        outer = nil
        self.code = code
    }

    /// Returns the offset in the link as sent for an offset in the matched text.
    ///
    /// - Complexity: logarithmic in the number of parts.
    func original(of offset: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].place <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return outer?.original(of: 0) ?? 0 }
        let run = runs[low - 1]
        let found = run.original + (run.isStretch ? offset - run.place : 0)
        return outer?.original(of: found) ?? found
    }
}

/// A relative reference assembled from parts of a link, with their original offsets.
struct LinkAssembly {
    private let link: DeepLink
    private var bytes: [UInt8] = []
    private var runs: [LinkOffsets.Run] = []

    /// Creates an empty assembly for a link.
    init(of link: DeepLink) {
        self.link = link
        bytes.reserveCapacity(link.bytes.count + 2)
    }

    /// Appends a range of the link, optionally in lower case.
    ///
    /// Escapes a raw number sign, which only a fragment may contain.
    mutating func append(_ range: Range<Int>, inLowerCase: Bool = false) {
        runs.append(LinkOffsets.Run(place: bytes.count, original: range.lowerBound, isStretch: true))
        for index in range {
            let byte = link.bytes[index]
            guard byte != ASCII.hash else {
                runs.append(LinkOffsets.Run(place: bytes.count, original: index, isStretch: false))
                bytes += "%23".utf8
                runs.append(LinkOffsets.Run(place: bytes.count, original: index + 1, isStretch: true))
                continue
            }
            bytes.append(inLowerCase ? ASCII.lowercased(byte) : byte)
        }
    }

    /// Appends a separator before a part that begins at an offset of the link.
    mutating func append(separator: UInt8, at offset: Int) {
        runs.append(LinkOffsets.Run(place: bytes.count, original: offset, isStretch: false))
        bytes.append(separator)
    }

    /// Parses the assembled reference.
    ///
    /// - Throws: ``LinkSyntaxError`` with the offset in the link as sent.
    func finish(
        within outer: LinkOffsets?,
        hasFragment: Bool
    ) throws(LinkSyntaxError) -> (link: DeepLink, offsets: LinkOffsets) {
        let offsets = LinkOffsets(runs, in: link, within: outer, hasFragment: hasFragment)
        do throws(LinkSyntaxError) {
            return (try DeepLink(reference: bytes), offsets)
        } catch {
            throw LinkSyntaxError(error.reason, at: offsets.original(of: error.offset))
        }
    }
}

extension LinkRange {
    /// Reads the range of a link as a canonical whole number of up to 18 digits.
    ///
    /// Returns `nil` for any other text, which may be longer, escaped or not a number, and needs the full parser.
    @inline(__always)
    func int(of bytes: Span<UInt8>) -> Int64? {
        let isNegative = bytes[start] == ASCII.minus
        let first = isNegative ? start + 1 : start
        guard first < end, end - first <= 18 else { return nil }
        // A leading zero and minus zero are not canonical.
        guard bytes[first] != ASCII.zero || count == 1 else { return nil }
        var number: Int64 = 0
        for index in first..<end {
            guard ASCII.isDigit(bytes[index]) else { return nil }
            number = number &* 10 &+ Int64(bytes[index] &- ASCII.zero)
        }
        return isNegative ? -number : number
    }
}
