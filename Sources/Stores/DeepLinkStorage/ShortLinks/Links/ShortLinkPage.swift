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

extension ShortLinkPage {
    /// The number of links to read at a time.
    private static let chunk = 1000

    /// Creates the page of ``ShortLinkStore/shortLinks(_:after:limit:)`` from the rows of a store.
    ///
    /// The closure reads up to the given number of links after a number, in order.
    package init<Failure: Error>(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int,
        scanningAtMost maximumCount: Int,
        read: (_ number: Int64, _ count: Int) throws(Failure) -> [(number: Int64, link: ShortLink)]
    ) throws(Failure) {
        let limit = max(limit, 1)
        var found: [(number: Int64, link: ShortLink)] = []
        var (last, scanned, isEnd) = (position?.number ?? 0, 0, false)
        while found.count <= limit, scanned < maximumCount, !isEnd {
            let count = min(max(limit - found.count + 1, 100), Self.chunk)
            let rows = try read(last, count)
            found += rows.filter { filter.includes($0.link.contents) }
            last = rows.last?.number ?? last
            scanned += rows.count
            isEnd = rows.count < count
        }
        if found.count > limit {
            let links = found.prefix(limit)
            self.init(links: links.map(\.link), next: links.last.map { ShortLinkPosition(after: $0.number) })
        } else {
            self.init(links: found.map(\.link), next: isEnd ? nil : ShortLinkPosition(after: last))
        }
    }
}
