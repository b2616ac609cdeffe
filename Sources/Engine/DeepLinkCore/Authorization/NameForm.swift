/// The form of the names of levels and grants: a letter, then up to 63 letters, digits, underscores and hyphens of ASCII.
enum NameForm {
    /// The most bytes of a name.
    static let maximumByteCount = 64

    /// The form, in words.
    static let words = "a letter, then up to \(maximumByteCount - 1) letters, digits, underscores and hyphens"

    /// Returns whether a text has the form.
    static func accepts(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= maximumByteCount else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
