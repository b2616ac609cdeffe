/// The name of a user in the audit log: random characters in place of the id.
///
/// Nothing leads from a name to its user but the row of the store that has both, and an erasure deletes that row. So the
/// lines of an erased user stay as they are, and are nobody's.
package struct AuditName: Hashable, Sendable {
    private static let prefix = "u-"

    /// The characters of Crockford's base 32, in lower case.
    private static let characters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The number of random characters: 120 bits.
    private static let characterCount = 24

    /// The characters, with the prefix.
    package let text: String

    /// Draws a name from the system's source of randomness.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let drawn = (0..<Self.characterCount)
            .map { _ in Self.characters[Int(generator.next(upperBound: UInt(Self.characters.count)))] }
        text = Self.prefix + String(decoding: drawn, as: UTF8.self)
    }

    /// Reads a name; `nil` for any other text.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.starts(with: Self.prefix.utf8), bytes.count == Self.prefix.utf8.count + Self.characterCount,
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.characters.contains)
        else { return nil }
        self.text = text
    }
}
