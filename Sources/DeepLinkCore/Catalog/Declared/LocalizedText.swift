/// A text in one or several languages.
public struct LocalizedText: Hashable, Sendable {
    /// One of the languages that a text is written in.
    public struct Version: Hashable, Sendable {
        /// The tag of the language (RFC 5646), as the catalog writes it; empty where it does not say.
        public let language: String

        /// The text.
        public let text: String

        /// Pairs a language with its text.
        public init(language: String, text: String) {
            self.language = language
            self.text = text
        }

        /// Compares byte by byte.
        public static func == (left: Version, right: Version) -> Bool {
            left.language.bytewise == right.language.bytewise && left.text.bytewise == right.text.bytewise
        }

        /// Hashes the language.
        public func hash(into hasher: inout Hasher) { hasher.combine(language.bytewise) }
    }

    /// The versions, in the order of the file, at least one; the first is for who reads none of the languages.
    public let versions: [Version]

    /// Takes the versions over; `nil` for none.
    public init?(_ versions: [Version]) {
        guard !versions.isEmpty else { return nil }
        self.versions = versions
    }

    /// Creates a text whose language is not said.
    public init(_ text: String) {
        versions = [Version(language: "", text: text)]
    }
}
