/// A name that a catalog gives to a parameter, a field or a custom presentation: letters, digits, `_`, `-` and `.`.
///
/// Whoever holds one needs no further check: it reads the same in a path pattern, a query key and JSON.
public struct Identifier: Hashable, Sendable {
    /// The name, which has at least one character.
    public let text: String

    /// Reads a name; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let isName = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == ASCII.minus || byte == ASCII.dot
        }
        guard isName, !text.isEmpty else { return nil }
        self.text = String(text)
    }

    /// Compares the bytes.
    public static func == (left: Identifier, right: Identifier) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}
