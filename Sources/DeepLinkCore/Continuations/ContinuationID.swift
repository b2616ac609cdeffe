/// Identifies one continuation: 32 hexadecimal digits, drawn at random.
public struct ContinuationID: Hashable, Sendable {
    private static let digitCount = 32

    /// The digits, in lower case.
    public let text: String

    /// Draws an id from the system's source of randomness.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = String(
            decoding: (0..<Self.digitCount)
                .map { _ in
                    let digit = UInt8.random(in: 0..<16, using: &generator)
                    return digit < 10 ? 0x30 + digit : 0x57 + digit
                },
            as: UTF8.self
        )
    }

    /// Reads an id; `nil` for any other text.
    public init?(_ text: String) {
        let isDigit = { (byte: UInt8) in ASCII.isDigit(byte) || (0x61...0x66).contains(byte) }
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }
}
