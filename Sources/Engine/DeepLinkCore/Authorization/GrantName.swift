/// The name of a grant: a letter, then up to 63 letters, digits, underscores and hyphens of ASCII; compared as bytes.
package struct GrantName: Hashable, Sendable {
    /// The name as text.
    package let text: String

    /// Checks a text; `nil` if it doesn't have the form of a name.
    package init?(_ text: String) {
        guard NameForm.accepts(text) else { return nil }
        self.text = text
    }

    /// Compares the bytes of the names.
    package static func == (left: GrantName, right: GrantName) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes of the name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}
