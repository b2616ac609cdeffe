/// An untrusted text, compared and hashed by its UTF-8 bytes.
///
/// `String` compares and hashes by canonical equivalence (Unicode Standard §3.12), for which it sorts runs of combining
/// marks. The cost grows with the square of a run's length, and a request of 1 MB could keep a processor busy for a
/// quarter of an hour. Bytes have one meaning and a linear cost. Every text from outside is a `ByteText` if it is a key
/// or is compared. A literal converts to one implicitly:
///
/// ```swift
/// switch name.bytewise {
/// case "link": …
/// default: …
/// }
/// ```
///
/// - Complexity: comparing and hashing are linear in the bytes.
package struct ByteText: Sendable {
    /// The text itself, unchanged.
    package let string: String

    /// Creates a value from a text, unchanged.
    package init(_ string: String) {
        self.string = string
    }

    /// Calls a closure with the bytes, without a copy on the heap.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var string = string
        return string.withUTF8(body)
    }

    /// Returns whether the text consists of these bytes.
    package func consists(of bytes: Span<UInt8>) -> Bool {
        string.utf8.withBytes { own in
            own.count == bytes.count && ByteWord.areEqual(own, range: 0..<own.count, others: bytes, from: 0)
        }
    }
}

extension ByteText: Hashable {
    /// Returns whether two texts have the same bytes.
    package static func == (left: ByteText, right: ByteText) -> Bool {
        left.string.utf8.count == right.string.utf8.count && right.string.utf8.withBytes { left.consists(of: $0) }
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ByteText: Comparable {
    /// Returns whether a text precedes another in the order of their bytes.
    package static func < (left: ByteText, right: ByteText) -> Bool {
        left.withBytes { left in right.withBytes { right in left.lexicographicallyPrecedes(right) } }
    }
}

extension ByteText: ExpressibleByStringLiteral {
    /// Creates a value from a literal of the source.
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ByteText: CustomStringConvertible {
    /// The text.
    package var description: String { string }
}

extension StringProtocol {
    /// The text, for comparing by its bytes.
    package var bytewise: ByteText { ByteText(String(self)) }
}

extension String {
    /// The text, for comparing by its bytes, without the conversion that other kinds of text need.
    package var bytewise: ByteText { ByteText(self) }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Returns the case whose raw value has the bytes of a text, or `nil` if there is none.
    ///
    /// The initializer `init(rawValue:)` compares by canonical equivalence.
    package init?(bytewise text: some StringProtocol) {
        let found = Self.allCases.first { $0.rawValue.bytewise == text.bytewise }
        guard let found else { return nil }
        self = found
    }
}

extension String {
    /// Reads bytes as UTF-8, or returns `nil` if they are not UTF-8.
    package init?(utf8 bytes: Span<UInt8>) {
        #if canImport(Darwin)  // `UTF8Span` is of iOS 26.
        guard let text = bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) else { return nil }
        self = text
        #else
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self = String(copying: text)
        #endif
    }
}

extension [UInt8] {
    /// The text that these bytes encode in UTF-8.
    var asText: String { String(decoding: self, as: UTF8.self) }

    /// Returns whether other bytes are the same, eight at a time.
    package func hasSameBytes(as others: Span<UInt8>) -> Bool {
        count == others.count && ByteWord.areEqual(span, range: 0..<count, others: others, from: 0)
    }
}

extension String.UTF8View {
    /// Calls a closure with the bytes in place.
    ///
    /// `span` requires iOS 26, and an app may run on older systems. There, native Swift strings are contiguous too, and
    /// a string bridged from Objective-C is copied.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        #if canImport(Darwin)
        if let result = withContiguousStorageIfAvailable({ body($0.span) }) { return result }
        let copy = Array(self)
        return body(copy.span)
        #else
        return body(span)
        #endif
    }
}

extension Substring.UTF8View {
    /// Returns whether the bytes are a word, ignoring case.
    package func isWord(_ word: String) -> Bool {
        #if canImport(Darwin)  // `span` is of iOS 26.
        elementsEqual(word.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
        #else
        ASCII.equalIgnoringCase(span, word.utf8.span)
        #endif
    }
}

extension Dictionary where Key == ByteText, Value == Int {
    /// Creates the positions of texts in a sequence, and of equal texts the first.
    init(positionsOf texts: some Sequence<String>) {
        self = [:]
        for (position, text) in texts.enumerated() where self[text.bytewise] == nil { self[text.bytewise] = position }
    }
}

/// The ASCII bytes and character classes of link syntax and related syntax.
package enum ASCII {
    static let space = UInt8(ascii: " ")
    static let percent = UInt8(ascii: "%")
    static let slash = UInt8(ascii: "/")
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let question = UInt8(ascii: "?")
    static let hash = UInt8(ascii: "#")
    static let ampersand = UInt8(ascii: "&")
    static let equals = UInt8(ascii: "=")
    static let at = UInt8(ascii: "@")
    static let dot = UInt8(ascii: ".")
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let zero = UInt8(ascii: "0")

    /// Returns whether a byte is a decimal digit.
    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Returns whether a byte is `unreserved` (RFC 3986 §2.3).
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == minus || byte == dot || byte == 0x5F || byte == 0x7E
    }

    /// Returns whether a byte is one of the `sub-delims` (RFC 3986 §2.2).
    @inline(__always)
    static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
        default: false
        }
    }

    /// Returns whether a byte is a tab, a line feed or a carriage return.
    static func isTabOrLineEnd(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Returns an ASCII letter in lower case, and every other byte unchanged.
    @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Returns the value of one hexadecimal digit, in either case, or `nil` for any other byte.
    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// Returns whether two spans of bytes are equal, ignoring the case of ASCII letters.
    package static func equalIgnoringCase(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where lowercased(left[index]) != lowercased(right[index]) { return false }
        return true
    }

    /// Returns whether two texts are equal, ignoring the case of ASCII letters.
    static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
        left.utf8.withBytes { left in right.utf8.withBytes { right in equalIgnoringCase(left, right) } }
    }
}

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

extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits in lower case, two for each.
    package var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
    }
}
