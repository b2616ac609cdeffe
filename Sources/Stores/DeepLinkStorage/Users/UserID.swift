import DeepLinkCore

/// The name of a user: 1 to 256 bytes of UTF-8 without control characters, not `.` or `..`, compared as bytes.
///
/// `.` and `..` as a segment of a path are removed before a request is sent, also percent-encoded (URL Standard,
/// "single-dot URL path segment"), so their states could not be reached by HTTP.
package struct UserID: Hashable, Sendable {
    /// The most bytes an id may have.
    package static let maximumByteCount = 256

    /// The id as text.
    package let text: String

    /// Checks a text; `nil` if it is empty, too long, a dot segment or holds a control character (U+0000–001F,
    /// U+007F–009F).
    package init?(_ text: String) {
        self.init(stored: text)
        guard !isDotSegment else { return nil }
    }

    /// Checks the text of an id that exists already; `.` and `..` pass, which earlier versions let in.
    package init?(stored text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        else { return nil }
        self.text = text
    }

    /// Whether the id is `.` or `..`, with which no new state can be made.
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
