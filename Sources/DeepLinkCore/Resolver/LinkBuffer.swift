/// A link while it is printed: as long as it is equal to a link that is known, nothing is copied.
///
/// Most links that are resolved are canonical already, so their canonical link is the link itself.
struct LinkBuffer {
    /// What is printed, from its first difference to the known link on; before, the beginning of that link.
    private var bytes: [UInt8]

    /// The number of bytes of the known link that are equal so far; `nil` after a difference, and without one.
    private var equalCount: Int?

    /// Begins to print a link that may be this one.
    init(like known: DeepLink?) {
        bytes = known?.bytes ?? []
        equalCount = known == nil ? nil : 0
    }

    /// The number of bytes that are printed.
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

    /// Appends what is printed as it stands.
    mutating func append(_ text: Span<UInt8>) {
        if let count = equalCount, count + text.count <= bytes.count {
            let range = count..<count + text.count
            if ByteWord.areEqual(bytes.span, range, text, from: 0) {
                equalCount = range.upperBound
                return
            }
        }
        for index in text.indices { append(text[index]) }
    }

    /// Appends a segment, a name or a value, percent-encoded.
    mutating func append(encoding text: String) {
        let utf8 = text.utf8.span
        guard PercentEncoding.isPlain(utf8) else {
            var encoded: [UInt8] = []
            PercentEncoding.append(text, to: &encoded)
            return append(encoded.span)
        }
        append(utf8)
    }

    /// Appends a stretch of the known link itself, in lower case where that is asked for.
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

    /// Takes a byte away.
    mutating func remove(at index: Int) {
        bytes = finished
        equalCount = nil
        bytes.remove(at: index)
    }

    /// Puts something else in the place of all that stands from an index on.
    mutating func replace(from index: Int, with text: [UInt8]) {
        bytes = finished
        equalCount = nil
        bytes.replaceSubrange(index..., with: text)
    }

    /// The whole text; the bytes of the known link where it is that link.
    var finished: [UInt8] { equalCount.map { $0 == bytes.count ? bytes : Array(bytes[..<$0]) } ?? bytes }
}
