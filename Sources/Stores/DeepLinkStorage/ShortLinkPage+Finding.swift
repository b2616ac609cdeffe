extension ShortLinkPage {
    /// The links that are read at a time.
    private static let chunk = 1000

    /// Finds the links of a page among the rows of a store.
    ///
    /// - Parameters:
    ///   - filter: The links to list.
    ///   - position: The place to begin at; `nil` for the beginning.
    ///   - limit: The most links of the page, at least 1.
    ///   - maximumCount: The most links to look at.
    ///   - read: The function that reads up to so many links after a number, in order.
    /// - Throws: The error of a read.
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
