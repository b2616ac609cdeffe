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

extension Dictionary where Key == ByteText, Value == Int {
    /// Creates the positions of texts in a sequence, and of equal texts the first.
    init(positionsOf texts: some Sequence<String>) {
        self = [:]
        for (position, text) in texts.enumerated() where self[text.bytewise] == nil { self[text.bytewise] = position }
    }
}
