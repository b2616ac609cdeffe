/// A link under construction: as long as it is equal to a known link, nothing is copied.
///
/// Most resolved links are canonical already, so their canonical link is the link itself.
struct LinkBuffer {
    /// The printed bytes from the first difference to the known link on, and before it the beginning of the known link.
    private var bytes: [UInt8]

    /// The number of bytes equal to the known link so far.
    ///
    /// `nil` after a difference, or without a known link.
    private var equalCount: Int?

    /// Creates a buffer for a link that may be equal to the known one.
    init(like known: DeepLink?) {
        bytes = known?.bytes ?? []
        equalCount = known == nil ? nil : 0
    }

    /// The number of printed bytes.
    var count: Int { equalCount ?? bytes.count }

    /// The byte at an index.
    subscript(index: Int) -> UInt8 { bytes[index] }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if let count = equalCount, count < bytes.count, bytes[count] == byte {
            equalCount = count + 1
        } else {
            appendDifferent(byte)
        }
    }

    /// Appends raw bytes.
    mutating func append(_ text: Span<UInt8>) {
        if let count = equalCount, count + text.count <= bytes.count {
            let range = count..<count + text.count
            if ByteWord.areEqual(bytes.span, range: range, others: text, from: 0) {
                equalCount = range.upperBound
                return
            }
        }
        for index in text.indices { append(text[index]) }
    }

    /// Appends a segment, a name or a value, percent-encoded.
    mutating func append(encoding text: String, keeping kept: ByteSet = .kept) {
        text.utf8.withBytes { bytes in
            guard PercentEncoding.isPlain(bytes, keeping: kept) else {
                var encoded: [UInt8] = []
                PercentEncoding.append(text, keeping: kept, to: &encoded)
                return append(encoded.span)
            }
            append(bytes)
        }
    }

    /// Appends a range of the known link itself, optionally in lower case.
    mutating func append(_ range: LinkRange, of known: DeepLink, inLowerCase: Bool) {
        var index = range.start
        if equalCount == index {
            while index < range.end, !inLowerCase || ASCII.lowercased(bytes[index]) == bytes[index] { index += 1 }
            equalCount = index
        }
        while index < range.end {
            append(inLowerCase ? ASCII.lowercased(known.bytes[index]) : known.bytes[index])
            index += 1
        }
    }

    private mutating func appendDifferent(_ byte: UInt8) {
        if let count = equalCount {
            bytes.removeSubrange(count...)
            equalCount = nil
        }
        bytes.append(byte)
    }

    /// Removes a byte.
    mutating func remove(at index: Int) {
        bytes = finished
        equalCount = nil
        bytes.remove(at: index)
    }

    /// Replaces everything from an index on.
    mutating func replace(from index: Int, with text: [UInt8]) {
        bytes = finished
        equalCount = nil
        bytes.replaceSubrange(index..., with: text)
    }

    /// The whole text, or the bytes of the known link if the two are equal.
    var finished: [UInt8] { equalCount.map { $0 == bytes.count ? bytes : Array(bytes[..<$0]) } ?? bytes }
}

/// The edges that print the destinations of a stack, and the destinations that a link leaves out.
struct PrintPlan {
    /// The edges that differ from the edges of the stack, by index.
    private var others: [Int: EdgeIndex] = [:]

    /// The indices of the destinations that are not printed.
    private var hidden: Set<Int> = []

    /// Plans from the top down.
    ///
    /// An initial child is printed only if it is on top or opens the next printed destination. A destination that only
    /// opens an unprinted destination is left out too.
    init(_ stack: [StackElement], in graph: CatalogGraph) {
        var parentOfNext: Int?
        for index in stack.indices.reversed() {
            var edge = stack[index].edge
            var isInitial = graph.packed[edge].isInitial
            if !graph.packed[edge].isAlone {
                (edge, isInitial) = Self.alternative(to: stack[index], in: graph)
                others[index] = edge
            }
            let packedEdge = graph.packed[edge]
            // A route that a key opens over its parent is there without the key.
            if isInitial, packedEdge.isQuery || (parentOfNext.map { $0 != packedEdge.child } ?? !packedEdge.isLinkable)
            {
                hidden.insert(index)
            } else {
                parentOfNext = packedEdge.parent
            }
        }
    }

    /// Returns the edge that prints the destination at an index.
    func edge(of element: StackElement, at index: Int) -> EdgeIndex {
        others.isEmpty ? element.edge : others[index] ?? element.edge
    }

    /// Returns whether the destination at an index is printed.
    func isPrinted(_ index: Int) -> Bool { hidden.isEmpty || !hidden.contains(index) }

    /// Returns the edge that prints a destination, and whether a link that leaves the destination out means the same.
    ///
    /// Of the edges between the same two routes with the same presentation, the first with fitting parameters is
    /// printed. If the initial edge is among them, the destination is shown without being named.
    private static func alternative(
        to element: StackElement,
        in graph: CatalogGraph
    ) -> (edge: EdgeIndex, isInitial: Bool) {
        let own = graph.edges[element.edge]
        // A list may be long, so parameters are compared only until an edge fits.
        func isFitting(_ index: EdgeIndex) -> Bool {
            let edge = graph.edges[index]
            return edge.presentation == own.presentation && edge.adopt(element.arguments) == element.arguments
        }
        let packedEdge = graph.packed[element.edge]
        let isInitial =
            graph.initials[packedEdge.parent].map { graph.packed[$0].child == packedEdge.child && isFitting($0) }
            ?? false
        let first = graph.alternatives[element.edge]
            .first { index in
                graph.packed[index].isLinkable && !(isInitial && graph.packed[index].isQuery) && isFitting(index)
            }
        return (first ?? element.edge, isInitial)
    }
}

/// Percent-encoding of text (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns a text percent-encoded for a segment, name or value of a link.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a literal of the catalog as the path of a link has it.
    package static func encode(literal text: String) -> String {
        var bytes: [UInt8] = []
        append(text, keeping: .literal, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns values percent-encoded for one query pair, with a separator between them that is encoded within them.
    package static func encode(_ values: [String], separator: UInt8) -> String {
        var bytes: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { append(String(decoding: [separator], as: UTF8.self), to: &bytes) }
            for byte in value.utf8 {
                if byte != separator, ByteSet.kept.contains(byte) {
                    bytes.append(byte)
                } else {
                    append(escaping: byte, to: &bytes)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes bytes that the link parser has checked.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String {
        guard plusIsSpace || bytes.contains(ASCII.percent) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: Array(DecodedBytes(bytes, plusIsSpace: plusIsSpace)), as: UTF8.self)
    }

    /// Appends a text, encoding every byte that is not to be kept.
    ///
    /// Kept are `unreserved` and `!$'()*,;:@` for values.
    ///
    /// A space becomes `%20` and a plus `%2B`, since servers disagree on the meaning of a plus in a query. One set
    /// serves segments, names and values, so a value reads the same in all of them.
    static func append(_ text: String, keeping kept: ByteSet = .kept, to bytes: inout [UInt8]) {
        // Most texts need no encoding.
        guard !text.utf8.withBytes({ isPlain($0, keeping: kept) }) else {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 {
            if kept.contains(byte) { bytes.append(byte) } else { append(escaping: byte, to: &bytes) }
        }
    }

    /// Appends a byte percent-encoded.
    static func append(escaping byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(ASCII.percent)
        bytes.append(hexDigit(byte >> 4))
        bytes.append(hexDigit(byte & 0xF))
    }

    /// Returns whether a text needs no encoding.
    @inline(__always)
    static func isPlain(_ text: Span<UInt8>, keeping kept: ByteSet = .kept) -> Bool {
        for index in text.indices where !kept.contains(text[index]) { return false }
        return true
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

/// A set of ASCII bytes, tested for each byte of a link: two words that stay in registers.
///
/// The words are literals, since computing them would be a call at each use. `ByteSetTests` compares them with the
/// rules that they represent.
struct ByteSet {
    /// A bit for each byte below 64, the lowest bit for NUL.
    private let low: UInt64

    /// A bit for each byte from 64 on.
    private let high: UInt64

    /// Returns whether a byte is in the set, which contains no byte outside ASCII.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && word &>> UInt64(byte & 0x3F) & 1 != 0
    }
}

extension ByteSet {
    /// The bytes of a scheme: letters, digits, `+`, `-` and `.` (RFC 3986 §3.1).
    static let scheme = ByteSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)

    /// The bytes of a host's label: `unreserved` without the dot, and `sub-delims` (RFC 3986 §3.2.2).
    static let hostLabel = ByteSet(low: 0x2BFF_3FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

    /// The bytes of a segment that need no further check: printable ASCII without `%`, `\`, `/`, `?` and `#`.
    static let segment = ByteSet(low: 0x7FFF_7FD7_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes of a query pair's name that need no further check: printable ASCII without `%`, `\`, `&`, `#` and `=`.
    static let name = ByteSet(low: 0xDFFF_FF97_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes of a query pair's value that need no further check: the bytes of its name, and `=`.
    static let value = ByteSet(low: 0xFFFF_FF97_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes that a printed segment, name or value keeps unescaped: `unreserved` and `!$'()*,;:@`.
    static let kept = ByteSet(low: 0x0FFF_7792_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// The bytes that a printed literal of the catalog keeps unescaped: `pchar` (RFC 3986 §3.3).
    static let literal = ByteSet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// The bytes of a fragment that need no further check: printable ASCII without `%` and `\`.
    static let fragment = ByteSet(low: 0xFFFF_FFDF_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
}

/// Percent-encoded bytes, iterated as the decoded bytes, without a copy.
///
/// The bytes come from a ``DeepLink``, whose parser has checked every escape.
struct DecodedBytes: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private let plusIsSpace: Bool
    private var index: Int

    /// Iterates over the bytes of a path or, with `plusIsSpace`, of a query in which a plus means a space.
    init(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) {
        self.bytes = bytes
        self.plusIsSpace = plusIsSpace
        index = bytes.startIndex
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        let byte = bytes[index]
        guard byte == ASCII.percent, index + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else {
            index += 1
            return plusIsSpace && byte == ASCII.plus ? ASCII.space : byte
        }
        index += 3
        return high << 4 | low
    }
}
