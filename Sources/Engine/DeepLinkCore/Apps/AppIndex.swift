/// The position of a named app in the list of its catalog.
package struct AppIndex: Hashable, Sendable {
    /// The maximum length of an app's name, in bytes.
    private static let maximumNameByteCount = 64

    /// The position, from 0.
    package let place: UInt8

    /// Creates an index from a position below ``Apps/maximumCount``.
    init(_ place: Int) { self.place = UInt8(place) }

    /// Returns whether bytes are the name of an app: a letter, and then at most 63 letters, digits, hyphens and
    /// underscores.
    static func accepts(name: some Collection<UInt8>) -> Bool {
        guard let first = name.first, ASCII.isLetter(first), name.count <= maximumNameByteCount else { return false }
        return name.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
    }
}
