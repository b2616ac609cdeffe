/// The name of a level: a letter, then up to 63 letters, digits, underscores and hyphens of ASCII; compared as bytes.
package struct LevelName: Hashable, Sendable {
    /// The most bytes of a name.
    package static let maximumByteCount = NameForm.maximumByteCount

    /// The form of names, in words.
    package static let form = NameForm.words

    /// The name as text.
    package let text: String

    /// Checks a text; `nil` if it doesn't have the form of a name.
    package init?(_ text: String) {
        // The texts of the standard names are literals, which aren't counted references: most users have one of them.
        if let standard = LevelLadder.standard.names.first(where: { $0.text.bytewise == text.bytewise }) {
            self = standard
            return
        }
        guard NameForm.accepts(text) else { return nil }
        self.text = text
    }

    /// Creates a name from a text that has its form.
    init(checked text: String) {
        self.text = text
    }

    /// Compares the bytes of the names.
    package static func == (left: LevelName, right: LevelName) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes of the name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}
