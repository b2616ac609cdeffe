/// The identity of a service token, which gives no access: 12 lower-case letters and digits, drawn at random.
package struct ServiceTokenID: Hashable, Sendable {
    private static let characters = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    private static let characterCount = 12

    /// The characters.
    package let text: String

    /// Creates an id from random characters of an alphabet.
    package init(drawing draw: (_ count: Int, _ alphabet: [UInt8]) -> String) {
        text = draw(Self.characterCount, Self.characters)
    }

    /// Reads an id; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, text.utf8.allSatisfy(Self.characters.contains) else { return nil }
        self.text = String(text)
    }
}
