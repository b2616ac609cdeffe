import DeepLinkCore
import DeepLinkReporting
import Synchronization

/// The cache of responses to visitors of recent links, for one catalog.
///
/// The same link is followed by many visitors, for example from a post, a mail or a poster. A response depends only on
/// the link and the visitor, unless the link has a signature. Signatures are checked each time. Other responses are
/// cached from the second time on.
///
/// A key that comes twice replaces another in its slot, so memory is bounded, by 512 responses of at most 16 KiB each.
final class RecentPages: Sendable {
    /// A response with its key.
    ///
    /// It is a class, since each repetition refers to it.
    final class Page: Sendable {
        fileprivate let key: [UInt8]

        /// The cached response.
        let response: EndpointResponse

        /// The visit, for counts.
        let visit: PageVisit

        fileprivate init(_ response: EndpointResponse, to visit: PageVisit, key: [UInt8]) {
            self.response = response
            self.visit = visit
            self.key = key
        }
    }

    /// The cache's result for a key.
    enum Finding {
        /// The response is cached.
        case known(Page)

        /// The key came before, so its response is worth caching.
        case again

        /// The key is new, or another came in between.
        case new
    }

    private struct Slot {
        /// The hash of the key that came last.
        var last = 0

        var page: Page?
    }

    /// A part of the slots, so that event loops rarely wait for each other.
    private final class Shard: Sendable {
        let slots = Mutex(Array(repeating: Slot(), count: RecentPages.slotCount))
    }

    private static let shardCount = 8
    private static let slotCount = 64
    private static let maximumKeyByteCount = 1024
    private static let maximumPageByteCount = 16 * 1024

    private let shards = (0..<shardCount).map { _ in Shard() }
    private let hash = SeededHash()

    /// Finds the response for a key, and records that it came.
    ///
    /// - Complexity: linear in the key, up to 1,024 bytes, and constant for longer keys.
    func find(_ key: [UInt8]) -> Finding {
        guard key.count <= Self.maximumKeyByteCount else { return .new }
        let hash = hash(key.span)
        return shard(hash).slots
            .withLock { slots in
                let place = Self.place(hash)
                if let page = slots[place].page, page.key.hasSameBytes(as: key.span) { return .known(page) }
                guard slots[place].last != hash else { return .again }
                slots[place].last = hash
                return .new
            }
    }

    /// Caches the response for a key that came before.
    func keep(_ response: EndpointResponse, to visit: PageVisit, for key: [UInt8]) {
        guard response.contentLength ?? 0 <= Self.maximumPageByteCount else { return }
        let page = Page(response, to: visit, key: key)
        let hash = hash(key.span)
        shard(hash).slots.withLock { $0[Self.place(hash)].page = page }
    }

    private func shard(_ hash: Int) -> Shard { shards[hash & (Self.shardCount - 1)] }

    private static func place(_ hash: Int) -> Int { (hash >> 8) & (slotCount - 1) }
}
