/// A text in one or several languages.
package struct LocalizedText: Hashable, Sendable {
    /// The text in one language.
    package struct Version: Hashable, Sendable {
        /// The language tag (RFC 5646), as the catalog writes it; empty if it has none.
        package let language: String

        /// The text.
        package let text: String

        /// Creates a version from a language and its text.
        package init(language: String, text: String) {
            self.language = language
            self.text = text
        }

        /// Compares both parts byte by byte.
        package static func == (left: Version, right: Version) -> Bool {
            left.language.bytewise == right.language.bytewise && left.text.bytewise == right.text.bytewise
        }

        /// Hashes the language.
        package func hash(into hasher: inout Hasher) { hasher.combine(language.bytewise) }
    }

    /// The versions, in the order of the file, at least one; the first is the default language.
    package let versions: [Version]

    /// Creates a text from its versions; `nil` if there are none.
    package init?(_ versions: [Version]) {
        guard !versions.isEmpty else { return nil }
        self.versions = versions
    }

    /// Creates a text without a language.
    package init(_ text: String) {
        versions = [Version(language: "", text: text)]
    }
}
