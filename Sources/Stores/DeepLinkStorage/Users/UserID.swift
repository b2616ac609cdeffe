import DeepLinkCore

/// The name of a user: 1 to 256 bytes of UTF-8 without control characters, not `.` or `..`, compared as bytes.
///
/// Clients remove `.` and `..` as a segment of a path before they send a request, also percent-encoded (URL Standard,
/// "single-dot URL path segment"), so HTTP could not reach the states of such users.
package struct UserID: Hashable, Sendable {
    /// The maximum length of an id, in bytes.
    package static let maximumByteCount = 256

    /// The id as text.
    package let text: String

    /// Validates a text, or returns `nil` if it is empty, too long, a dot segment or contains a control character
    /// (U+0000–001F, U+007F–009F).
    package init?(_ text: String) {
        self.init(stored: text)
        guard !isDotSegment else { return nil }
    }

    /// Validates the text of a stored id.
    ///
    /// `.` and `..` are accepted, because earlier versions stored them.
    package init?(stored text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        else { return nil }
        self.text = text
    }

    /// Whether the id is `.` or `..`, which new states cannot have.
    package var isDotSegment: Bool { text.utf8.count <= 2 && text.utf8.allSatisfy { $0 == UInt8(ascii: ".") } }

    /// Compares the bytes of the ids.
    package static func == (left: UserID, right: UserID) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes of the id.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}
