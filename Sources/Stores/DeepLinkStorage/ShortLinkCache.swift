import DeepLinkCore
import Synchronization

/// A cache of the short links that a server has read recently, each for a short time.
///
/// An entry is valid from the start of its read until the lease ends, so that an external change is seen within the
/// lease without being announced. A change of this store removes its entries before it is acknowledged, and a read that
/// began before the removal is not cached. Codes without a link are cached too, so that a repeated guess costs no
/// second read.
///
/// Codes that people confuse with each other share a key (`ShortLinkCode.spelledByServer`).
///
/// - Complexity: Constant, apart from the length of a code.
package final class ShortLinkCache: Sendable {
    /// A ticket: the read may be cached unless the code changed since.
    package struct Ticket: Sendable {
        fileprivate let number: Int
        fileprivate let instant: MonotonicInstant
    }

    /// The cached result of a read, which is `nil` for a code without a link.
    package struct Entry: Sendable {
        /// The link, or `nil` if no link has the code.
        package let link: ShortLink?

        fileprivate let asked: ShortLinkCode
        fileprivate let instant: MonotonicInstant
    }

    private struct Shard {
        var entries: TwoGenerations<ShortLinkCode, [Entry]>

        /// The number of the last change.
        var last = 0

        /// The changes since ``first``, by code.
        var changes: [ShortLinkCode: Int] = [:]

        /// The first change that is recorded.
        ///
        /// Earlier tickets are invalid.
        var first = 0
    }

    private final class Box: Sendable {
        let shard: Mutex<Shard>

        init(capacity: Int) {
            shard = Mutex(Shard(entries: TwoGenerations(capacity: capacity)))
        }
    }

    private static let shardCount = 16

    /// The maximum number of changes that a shard records.
    private static let maximumChangeCount = 1024

    /// The maximum number of spellings of one key.
    private static let maximumSpellingCount = 4

    private let boxes: [Box]

    /// The time for which an entry is valid.
    private let lease: Duration

    /// Creates a cache for a maximum number of codes.
    package init(capacity: Int, lease: Duration = UserLevelCache.lease) {
        self.lease = lease
        boxes = (0..<Self.shardCount).map { _ in Box(capacity: capacity / Self.shardCount) }
    }

    /// Returns the entry of a code as written, or `nil` if there is none that is valid, or was within the delay.
    package func find(_ code: ShortLinkCode, within delay: Duration = .zero) -> Entry? {
        let key = code.spelledByServer
        return box(key).shard
            .withLock { shard in
                guard let entries = shard.entries[key], let entry = entries.first(where: { $0.asked == code })
                else { return nil }
                guard MonotonicInstant.now < entry.instant.advanced(by: lease).advanced(by: delay) else { return nil }
                return entry
            }
    }

    /// Returns a ticket for a read that is about to begin.
    package func ticket(for code: ShortLinkCode) -> Ticket {
        let instant = MonotonicInstant.now
        return Ticket(number: box(code.spelledByServer).shard.withLock(\.last), instant: instant)
    }

    /// Caches a read, unless the code changed meanwhile.
    package func remember(_ link: ShortLink?, for code: ShortLinkCode, ticket: Ticket) {
        let key = code.spelledByServer
        box(key).shard
            .withLock { shard in
                guard ticket.number >= shard.first, shard.changes[key, default: 0] <= ticket.number else { return }
                var entries = (shard.entries[key] ?? []).filter { $0.asked != code }
                if entries.count >= Self.maximumSpellingCount { entries.removeFirst() }
                entries.append(Entry(link: link, asked: code, instant: ticket.instant))
                shard.entries.insert(entries, for: key)
            }
    }

    /// Removes the entries of changed codes.
    package func forget(_ codes: some Sequence<ShortLinkCode>) {
        for code in codes {
            let key = code.spelledByServer
            box(key).shard
                .withLock { shard in
                    shard.entries.remove(key)
                    shard.last += 1
                    if shard.changes.count >= Self.maximumChangeCount {
                        (shard.changes, shard.first) = ([:], shard.last)
                    }
                    shard.changes[key] = shard.last
                }
        }
    }

    /// Removes all entries.
    package func forgetAll() {
        for box in boxes {
            box.shard.withLock { shard in
                shard.entries.removeAll()
                shard.changes = [:]
                shard.last += 1
                shard.first = shard.last
            }
        }
    }

    /// Removes the entries that a change with these needs may have outdated.
    package func forget(_ needs: RequiredShortLinkRows) {
        if !needs.erasures.isEmpty { forgetAll() } else { forget(needs.codes) }
    }

    private func box(_ key: ShortLinkCode) -> Box { boxes[abs(key.hashValue % Self.shardCount)] }
}
