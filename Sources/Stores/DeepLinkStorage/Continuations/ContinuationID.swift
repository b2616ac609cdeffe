/// The identity of a continuation: 32 hexadecimal digits, drawn at random.
package struct ContinuationID: Hashable, Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    private static let digitCount = 32

    /// The digits, in lower case.
    package let text: String

    /// Creates an id from random characters of an alphabet.
    package init(drawing draw: (_ count: Int, _ alphabet: [UInt8]) -> String) {
        text = draw(Self.digitCount, Self.digits)
    }

    /// Reads an id; `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
        self.text = text
    }
}
