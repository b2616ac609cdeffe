/// The name of a level: a letter, then up to 63 letters, digits, underscores and hyphens of ASCII; compared as bytes.
package struct LevelName: Hashable, Sendable {
    /// The most bytes of a name.
    package static let maximumByteCount = 64

    /// The form of names, in words.
    package static let form =
        "a letter, then up to \(maximumByteCount - 1) letters, digits, underscores and hyphens"

    /// The name as text.
    package let text: String

    /// Checks a text; `nil` if it doesn't have the form of a name.
    package init?(_ text: String) {
        // The texts of the standard names are literals, which aren't counted references: most users have one of them.
        if let standard = LevelLadder.standard.names.first(where: { $0.text.bytewise == text.bytewise }) {
            self = standard
            return
        }
        guard Self.isName(text) else { return nil }
        self.text = text
    }

    /// Creates a name from a text that has its form.
    init(checked text: String) {
        self.text = text
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, Self.isLetter(first), text.utf8.count <= maximumByteCount else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            Self.isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Compares the bytes of the names.
    package static func == (left: LevelName, right: LevelName) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes of the name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}
