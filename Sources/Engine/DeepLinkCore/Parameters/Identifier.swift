/// A name that a catalog gives to a parameter, a field or a custom presentation: letters, digits, `_`, `-` and `.`.
///
/// A value of this type needs no further check: it reads the same in a path pattern, a query key and JSON.
package struct Identifier: Hashable, Sendable {
    /// The name, which has at least one character.
    package let text: String

    /// Parses a name; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let isName = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == ASCII.minus || byte == ASCII.dot
        }
        guard isName, !text.isEmpty else { return nil }
        self.text = String(text)
    }

    /// Compares the bytes.
    package static func == (left: Identifier, right: Identifier) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}
