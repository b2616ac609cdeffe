/// Identifies a user: 1 to 256 bytes of UTF-8 without control characters, compared as bytes.
public struct UserID: Hashable, Sendable {
    /// The most bytes an id may have.
    public static let maximumByteCount = 256

    /// The id as text.
    public let text: String

    /// Checks a text; `nil` where it is empty, too long or holds a control character (U+0000–001F, U+007F–009F).
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        else { return nil }
        self.text = text
    }

    /// Compares the bytes of the ids.
    public static func == (left: UserID, right: UserID) -> Bool {
        left.withBytes { left in right.withBytes { right in left.elementsEqual(right) } }
    }

    /// Hashes the bytes of the id.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Lends the bytes without a copy on the heap: every request looks for its user.
    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }
}
