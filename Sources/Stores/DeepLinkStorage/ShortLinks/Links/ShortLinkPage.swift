import DeepLinkCore

/// A place in the order in which links were made, at which a list goes on.
///
/// Its text begins with `~`, which no code has: `~1a`. It stays valid whatever happens to the link that it follows.
package struct ShortLinkPosition: Hashable, Comparable, Sendable {
    private static let prefix = UInt8(ascii: "~")

    /// The number of the last link before the place, from 1.
    package let number: Int64

    /// Creates the place behind a link.
    package init(after number: Int64) {
        self.number = number
    }

    /// Parses a place; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.first == Self.prefix, text.utf8.count <= 14,
            text.utf8.dropFirst().allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) && $0 >= 0x61 }),
            let number = Int64(String(decoding: text.utf8.dropFirst(), as: UTF8.self), radix: 36)
        else { return nil }
        self.number = number
    }

    /// The place as text.
    package var text: String { "~" + String(max(number, 0), radix: 36) }

    /// Orders the earlier place first.
    package static func < (left: ShortLinkPosition, right: ShortLinkPosition) -> Bool { left.number < right.number }
}

/// A part of a list of short links, in the order in which they were made.
package struct ShortLinkPage: Hashable, Sendable {
    /// The links that pass the filter; maybe none, although the list goes on.
    package let links: [ShortLink]

    /// The place at which the list goes on; `nil` at its end.
    package let next: ShortLinkPosition?

    /// Creates a part of a list.
    package init(links: [ShortLink], next: ShortLinkPosition?) {
        self.links = links
        self.next = next
    }
}

/// The number of short links of one shape.
package struct ShortLinkShapeCount: Hashable, Sendable {
    /// The shape.
    package let shape: ShortLinkShape

    /// The number of links that are not withdrawn, ended ones included.
    package let count: Int

    /// Creates a count.
    package init(shape: ShortLinkShape, count: Int) {
        self.shape = shape
        self.count = count
    }
}
