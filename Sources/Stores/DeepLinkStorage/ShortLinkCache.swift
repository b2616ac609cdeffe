import DeepLinkCore
import Synchronization

/// The short links that a server has read lately, each for a short time.
///
/// An entry counts from the moment before it was read until the lease ends, so that a change by another process or replica
/// is seen within the lease without being announced. A change of this store removes its entries before it is acknowledged,
/// and a read that began before that removal leaves none. Codes without a link have entries, too: guesses find nothing
/// twice.
///
/// Codes that people mistake for each other share an entry's key (`ShortLinkCode.spelledByServer`).
///
/// - Complexity: constant, apart from the length of a code.
package final class ShortLinkCache: Sendable {
    /// The permission to remember a read, unless a change comes between.
    package struct Ticket: Sendable {
        fileprivate let number: Int
        fileprivate let moment: Moment
    }

    /// A link as it was read; `nil` within for a code without one.
    package struct Entry: Sendable {
        /// The link.
        package let link: ShortLink?

        fileprivate let asked: ShortLinkCode
        fileprivate let moment: Moment
    }

    private struct Shard {
        /// The entries of late, and those of before; the older half goes when the younger is full.
        var young: [ShortLinkCode: [Entry]] = [:]
        var old: [ShortLinkCode: [Entry]] = [:]

        /// The number of the last change.
        var last = 0

        /// The changes since ``first``, by the codes that they concern.
        var changes: [ShortLinkCode: Int] = [:]

        /// The change before which no ticket counts.
        var first = 0
    }

    private final class Box: Sendable {
        let shard = Mutex(Shard())
    }

    private static let shardCount = 16

    /// The most changes that a shard remembers.
    private static let maximumChangeCount = 1024

    /// The most spellings of one key.
    private static let maximumSpellingCount = 4

    private let boxes = (0..<shardCount).map { _ in Box() }
    private let lease: Duration
    private let halfCapacity: Int

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - capacity: The most codes.
    ///   - lease: The time for which an entry counts.
    package init(capacity: Int, lease: Duration = UserLevelCache.lease) {
        self.lease = lease
        halfCapacity = max(capacity / Self.shardCount / 2, 1)
    }

    /// Returns the entry of a code; `nil` for none that counts.
    ///
    /// - Parameters:
    ///   - code: The code as written.
    ///   - delay: The time for which an entry counts beyond its lease.
    /// - Returns: The entry.
    package func find(_ code: ShortLinkCode, within delay: Duration = .zero) -> Entry? {
        let key = code.spelledByServer
        return box(key).shard
            .withLock { shard in
                guard let entries = shard.young[key] ?? shard.old[key],
                    let entry = entries.first(where: { $0.asked == code })
                else { return nil }
                guard Moment.now < entry.moment.advanced(by: lease).advanced(by: delay) else { return nil }
                return entry
            }
    }

    /// Returns the permission to remember a read that is about to begin.
    package func ticket(for code: ShortLinkCode) -> Ticket {
        let moment = Moment.now
        return Ticket(number: box(code.spelledByServer).shard.withLock(\.last), moment: moment)
    }

    /// Remembers a read, unless a change of the code came between.
    package func remember(_ link: ShortLink?, for code: ShortLinkCode, ticket: Ticket) {
        let key = code.spelledByServer
        box(key).shard
            .withLock { shard in
                guard ticket.number >= shard.first, shard.changes[key, default: 0] <= ticket.number else { return }
                var entries = (shard.young[key] ?? shard.old.removeValue(forKey: key) ?? []).filter { $0.asked != code }
                if entries.count >= Self.maximumSpellingCount { entries.removeFirst() }
                entries.append(Entry(link: link, asked: code, moment: ticket.moment))
                shard.young[key] = entries
                if shard.young.count > halfCapacity { (shard.old, shard.young) = (shard.young, [:]) }
            }
    }

    /// Removes the entries of changed codes.
    package func forget(_ codes: some Sequence<ShortLinkCode>) {
        for code in codes {
            let key = code.spelledByServer
            box(key).shard
                .withLock { shard in
                    shard.young[key] = nil
                    shard.old[key] = nil
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
                shard.young = [:]
                shard.old = [:]
                shard.changes = [:]
                shard.last += 1
                shard.first = shard.last
            }
        }
    }

    /// Removes the entries that a change may have outdated.
    package func forget(_ change: StoreChange) {
        let needs = ShortLinkNeeds(change)
        if !needs.erasures.isEmpty { forgetAll() } else { forget(needs.codes) }
    }

    private func box(_ key: ShortLinkCode) -> Box { boxes[abs(key.hashValue % Self.shardCount)] }
}

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
