import DeepLinkCore
import DeepLinkReporting
import Synchronization

/// The answers to visitors of links that were followed lately, of one catalog.
///
/// The same link is followed by many: from a post, a mail, a poster. An answer depends on the link and the visitor, and on
/// nothing else unless the link has a signature, which is checked each time; so it is kept from the second time on, and
/// looked up from then on.
///
/// A key that comes twice takes the place of another, so memory is bounded, by 512 answers of at most 16 KiB each.
final class RecentPages: Sendable {
    /// An answer with its key; a class, since each repetition refers to it.
    final class Page: Sendable {
        fileprivate let key: [UInt8]

        /// The answer.
        let response: EndpointResponse

        /// The visit that it answers.
        let visit: PageVisit

        fileprivate init(_ response: EndpointResponse, to visit: PageVisit, key: [UInt8]) {
            self.response = response
            self.visit = visit
            self.key = key
        }
    }

    /// The memory of a key.
    enum Finding {
        /// The answer is kept.
        case known(Page)

        /// The key came before, so its answer is worth keeping.
        case again

        /// The key is new, or another came in between.
        case new
    }

    private struct Slot {
        /// The hash of the key that came last.
        var last = 0

        var page: Page?
    }

    /// A part of the slots, so that event loops seldom wait for each other.
    private final class Shard: Sendable {
        let slots = Mutex(Array(repeating: Slot(), count: RecentPages.slotCount))
    }

    private static let shardCount = 8
    private static let slotCount = 64
    private static let maximumKeyByteCount = 1024
    private static let maximumPageByteCount = 16 * 1024

    private let shards = (0..<shardCount).map { _ in Shard() }
    private let hash = SeededHash()

    /// Finds the answer for a key, and remembers that it came.
    ///
    /// - Complexity: linear in the key, up to 1,024 bytes; constant for longer ones.
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

    /// Keeps the answer for a key that came before.
    func keep(_ response: EndpointResponse, to visit: PageVisit, for key: [UInt8]) {
        guard response.contentLength ?? 0 <= Self.maximumPageByteCount else { return }
        let page = Page(response, to: visit, key: key)
        let hash = hash(key.span)
        shard(hash).slots.withLock { $0[Self.place(hash)].page = page }
    }

    private func shard(_ hash: Int) -> Shard { shards[hash & (Self.shardCount - 1)] }

    private static func place(_ hash: Int) -> Int { (hash >> 8) & (slotCount - 1) }
}
