/// Identifies a user: 1 to 256 bytes of UTF-8 without control characters, compared as bytes.
public struct UserID: Hashable, Sendable {
    /// The most bytes an id may have.
    public static let maximumByteCount = 256

    /// The id as text.
    public let text: String

    /// Checks a text; `nil` where it is empty, too long or holds a control character (U+0000–001F, U+007F–009F).
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }

    /// Compares the bytes of the ids.
    public static func == (left: UserID, right: UserID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Hashes the bytes of the id.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
