import DeepLinkComparison

/// Links in the order of their first occurrence, each with its number of opens.
///
/// A resolution log has few distinct links, so each is replayed once, however often it occurs. If a log has too many,
/// some are replayed before its end. A link that occurs again after that counts as a new one.
struct DistinctLinks {
    /// A part of the links of a tally.
    struct Share: Sendable {
        fileprivate let links: ArraySlice<(bytes: [UInt8], opens: Int)>

        func replayed(by blank: RecordedReplay) -> RecordedReplay {
            var replay = blank
            for link in links { replay.replay(link.bytes, opens: link.opens) }
            return replay
        }
    }

    /// The maximum number of links that wait to be replayed.
    private static let maximumCount = 1 << 16

    private var links: [(bytes: [UInt8], opens: Int)] = []
    private var places: [[UInt8]: Int] = [:]

    /// Whether the links have to be replayed now.
    var isFull: Bool { links.count >= Self.maximumCount }

    mutating func note(_ link: RecordedLink) {
        if link.isLogged {
            if let place = places[link.bytes] {
                links[place].opens += link.opens
                return
            }
            places[link.bytes] = links.count
        }
        links.append((link.bytes, link.opens))
    }

    /// Splits the links into the given number of shares of equal size, in their order.
    func shares(_ count: Int) -> [Share] {
        let size = max(1, (links.count + count - 1) / count)
        return stride(from: 0, to: links.count, by: size).map { Share(links: links[$0..<min($0 + size, links.count)]) }
    }
}
