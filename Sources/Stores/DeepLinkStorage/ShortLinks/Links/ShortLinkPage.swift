import DeepLinkCore

/// A position in the list of short links, ordered by creation, from which the next page continues.
///
/// Its text begins with `~`, which does not occur in codes: `~1a`. It stays valid even if the link before it is changed
/// or erased.
package struct ShortLinkPosition: Hashable, Comparable, Sendable {
    private static let prefix = UInt8(ascii: "~")

    /// The number of the last link before the position, from 1.
    package let number: Int64

    /// Creates the position after a link.
    package init(after number: Int64) {
        self.number = number
    }

    /// Parses a position, or returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.first == Self.prefix, text.utf8.count <= 14,
            text.utf8.dropFirst().allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) && $0 >= 0x61 }),
            let number = Int64(String(decoding: text.utf8.dropFirst(), as: UTF8.self), radix: 36)
        else { return nil }
        self.number = number
    }

    /// The position as text.
    package var text: String { "~" + String(max(number, 0), radix: 36) }

    /// Orders the earlier position first.
    package static func < (left: ShortLinkPosition, right: ShortLinkPosition) -> Bool { left.number < right.number }
}

/// A page of a list of short links, in the order of their creation.
package struct ShortLinkPage: Hashable, Sendable {
    /// The links that pass the filter.
    ///
    /// May be empty although the list continues.
    package let links: [ShortLink]

    /// The position at which the list continues, or `nil` at its end.
    package let next: ShortLinkPosition?

    /// Creates a page.
    package init(links: [ShortLink], next: ShortLinkPosition?) {
        self.links = links
        self.next = next
    }
}

/// The number of short links of one shape.
package struct ShortLinkShapeCount: Hashable, Sendable {
    /// The shape that the links have.
    package let shape: ShortLinkShape

    /// The number of links that are not withdrawn.
    ///
    /// Expired links count.
    package let count: Int

    /// Creates a count.
    package init(shape: ShortLinkShape, count: Int) {
        self.shape = shape
        self.count = count
    }
}
