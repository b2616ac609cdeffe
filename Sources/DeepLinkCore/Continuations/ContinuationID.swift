/// The identity of a continuation: 32 hexadecimal digits, drawn at random.
public struct ContinuationID: Hashable, Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    private static let digitCount = 32

    /// The digits, in lower case.
    public let text: String

    /// Draws an id from a source of randomness.
    public init(using generator: inout some RandomNumberGenerator) {
        text = RandomText.draw(Self.digitCount, of: Self.digits, using: &generator)
    }

    /// Reads an id; `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
        self.text = text
    }
}
