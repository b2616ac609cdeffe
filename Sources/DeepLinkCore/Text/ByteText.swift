/// A text of strangers, compared and hashed by its UTF-8 bytes.
///
/// `String` compares and hashes by canonical equivalence (Unicode Standard §3.12), for which it sorts runs of combining
/// marks: the cost grows with the square of a run's length, and a request of 1 MB could keep a processor busy for a
/// quarter of an hour. Bytes have one meaning and a linear cost. Whatever text comes in is a `ByteText` where it is a
/// key or is compared; a literal in its place is one by itself:
///
/// ```swift
/// switch name.bytewise {
/// case "link": …
/// default: …
/// }
/// ```
///
/// - Complexity: comparing and hashing are linear in the bytes.
public struct ByteText: Sendable {
    /// The text.
    public let string: String

    /// Takes a text over as it is.
    public init(_ string: String) {
        self.string = string
    }

    /// Lends the bytes, without a copy on the heap.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var string = string
        return string.withUTF8(body)
    }

    /// Returns whether the text consists of these bytes.
    public func consists(of bytes: Span<UInt8>) -> Bool {
        let own = string.utf8.span
        return own.count == bytes.count && ByteWord.areEqual(own, 0..<own.count, bytes, from: 0)
    }
}

extension ByteText: Hashable {
    /// Returns whether two texts have the same bytes.
    public static func == (left: ByteText, right: ByteText) -> Bool {
        left.consists(of: right.string.utf8.span)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ByteText: Comparable {
    /// Returns whether a text comes before another in the order of their bytes.
    public static func < (left: ByteText, right: ByteText) -> Bool {
        left.withBytes { left in right.withBytes { right in left.lexicographicallyPrecedes(right) } }
    }
}

extension ByteText: ExpressibleByStringLiteral {
    /// Takes a literal of the source over.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ByteText: CustomStringConvertible {
    /// The text.
    public var description: String { string }
}

extension StringProtocol {
    /// The text, to be compared by its bytes.
    public var bytewise: ByteText { ByteText(String(self)) }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Finds the case whose raw value has the bytes of a text; `nil` where there is none.
    ///
    /// The initializer `init(rawValue:)` compares by canonical equivalence.
    public init?(bytewise text: some StringProtocol) {
        let found = Self.allCases.first { $0.rawValue.bytewise == text.bytewise }
        guard let found else { return nil }
        self = found
    }
}
