import DeepLinkCore

/// The name that a caller gives a short link, so that sending the request again makes no second one: 1 to 256 bytes of
/// UTF-8 without control characters, compared as bytes.
package struct ShortLinkName: Hashable, Sendable {
    /// The most bytes of a name.
    package static let maximumByteCount = 256

    /// The name as text.
    package let text: String

    /// Checks a text; `nil` if it is empty, too long, or holds a control character (U+0000–001F, U+007F–009F).
    package init?(_ text: String) {
        guard ShortLinkText.isAllowed(text, upTo: Self.maximumByteCount) else { return nil }
        self.text = text
    }

    /// Compares the bytes.
    package static func == (left: ShortLinkName, right: ShortLinkName) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The rule for the texts that callers give short links.
enum ShortLinkText {
    /// Returns whether a text is not empty, has at most so many bytes, and holds no control character.
    static func isAllowed(_ text: String, upTo maximumByteCount: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumByteCount
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
