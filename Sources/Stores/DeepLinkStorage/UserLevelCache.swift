import CoreMetrics
import DeepLinkCore
import Foundation
import Synchronization

/// A bounded cache of users' levels and grants, including users without a state.
///
/// Levels and grants are cached with their ends, so that no read is needed when they expire.
///
/// The cache returns the content of the store at the last acknowledged write through it, or later:
/// - A write is announced before its commit, and settled after it, before its caller gets the result. In between, its
///   users are read from the store, which may already have the change, and no result is cached.
/// - A result read before an announcement isn't cached after it.
///
/// Users changed externally are removed when the change is found. An entry is returned only while a search for such
/// changes is recent enough. If searches are late or fail, every lookup reads the store.
///
/// Users are distributed over shards with a lock each, held for less than a microsecond and never during a read of the
/// store. A cache hit makes no system call and allocates no memory. Memory is allocated as users are added: some 120
/// bytes each for ids of up to 15 bytes, some 220 for UUIDs, some 470 for the longest ids.
package final class UserLevelCache: ExternalChangeObserver {
    private final class Part: Sendable {
        let shard = Mutex(UserLevelShard())
    }

    /// The time after a search for external changes during which entries are valid, so that such changes are seen
    /// within a second.
    package static let lease = Duration.milliseconds(900)

    /// The number of users per shard.
    private static let usersPerPart = 1024

    private static let maximumPartCount = 1024

    /// The maximum number of cached users.
    let capacity: Int

    /// Whether entries that may be outdated are kept, for ``findLate(_:atLeast:within:)``.
    private let keepsFormer: Bool

    private let parts: [Part]

    /// The time after ``confirm(asOf:)`` during which entries are valid.
    private let leaseNanoseconds: Int64

    private let userCount = Atomic(0)
    private let hits = Counter(label: StoreMetric.levelCacheLookups.rawValue, dimensions: [("outcome", "hit")])
    private let misses = Counter(label: StoreMetric.levelCacheLookups.rawValue, dimensions: [("outcome", "miss")])

    /// The time until which entries are valid, in nanoseconds.
    private let end = Atomic(Int64.min)

    /// Creates an empty cache.
    package init(capacity: Int, lease: Duration = lease, keepsFormer: Bool = false) {
        self.capacity = capacity
        self.keepsFormer = keepsFormer
        leaseNanoseconds = lease.components.seconds * 1_000_000_000 + lease.components.attoseconds / 1_000_000_000
        var count = 1
        while count < Self.maximumPartCount, count * Self.usersPerPart < capacity { count *= 2 }
        parts = (0..<count).map { _ in Part() }
    }

    /// The number of users in the cache.
    package var count: Int { parts.reduce(0) { sum, part in sum + part.shard.withLock(\.count) } }

    /// Whether entries are currently valid.
    private var isCurrent: Bool { MonotonicInstant.now.nanoseconds < end.load(ordering: .acquiring) }

    /// Returns the cached entry of a user with a minimum version, or 0 for any, or a ticket for a read.
    package func find(_ user: UserID, atLeast version: Int = 0) -> UserLevelFinding {
        let hash = user.hashValue
        let isCurrent = isCurrent
        let finding = part(hash).shard
            .withLock { shard in
                isCurrent ? shard.find(user, hash: hash, atLeast: version) : .mustLoad(shard.ticket(hash))
            }
        switch finding {
        case .known: hits.increment()
        case .mustLoad: misses.increment()
        }
        return finding
    }

    /// Returns a ticket for a read of a user that begins now, after `find` returned nothing.
    package func ticket(for user: UserID) -> UserLevelTicket {
        let hash = user.hashValue
        return part(hash).shard.withLock { $0.ticket(hash) }
    }

    /// The time since the last search for external changes, in seconds, or `nil` before the first.
    package var age: Double? {
        let end = end.load(ordering: .acquiring)
        guard end != .min else { return nil }
        return Double(MonotonicInstant.now.nanoseconds - (end - leaseNanoseconds)) / 1_000_000_000
    }

    /// Returns the cached entry of a user although searches are late, for a limited time after entries were last valid.
    package func findLate(_ user: UserID, atLeast version: Int = 0, within time: Duration) -> UserLevelFinding {
        let hash = user.hashValue
        let end = MonotonicInstant(nanoseconds: max(end.load(ordering: .acquiring), 0))
        let now = MonotonicInstant.now
        let isInTime = now < end.advanced(by: time)
        // An entry may be this old while searches are late, however long ago it was replaced.
        let oldest = now.advanced(by: .zero - time)
        return part(hash).shard
            .withLock { shard in
                isInTime
                    ? shard.findFormer(user, hash: hash, atLeast: version, since: oldest)
                    : .mustLoad(shard.ticket(hash))
            }
    }

    /// Returns whether entries are valid, or were valid within the given time.
    package func isUsable(within time: Duration) -> Bool {
        MonotonicInstant.now < MonotonicInstant(nanoseconds: max(end.load(ordering: .acquiring), 0)).advanced(by: time)
    }

    /// Caches a user read after a lookup with `find`, if nothing has changed meanwhile.
    package func remember(_ access: UserAccess?, version: Int = 0, of user: UserID, ticket: UserLevelTicket) {
        part(ticket.hash).shard
            .withLock { shard in
                if shard.accepts(ticket) { remember(access, version: version, of: user, in: &shard) }
            }
    }

    /// Returns a user's access from the cache, or reads it from the store and caches the result if nothing has changed
    /// meanwhile.
    package func access(of user: UserID, orRead read: () throws -> UserAccess?) rethrows -> UserAccess? {
        switch find(user) {
        case .known(let access): return access
        case .mustLoad(let ticket):
            let access = try read()
            remember(access, of: user, ticket: ticket)
            return access
        }
    }

    /// Records that all external changes up to a time were found, and their users removed.
    package func confirm(asOf instant: MonotonicInstant) {
        end.store(instant.nanoseconds + leaseNanoseconds, ordering: .releasing)
    }

    /// Removes the users that other processes or stores may have changed.
    package func note(_ change: ExternalChange) {
        switch change {
        case .users(let users):
            for user in users {
                let hash = user.hashValue
                part(hash).shard.withLock { forget(user, hash: hash, in: &$0) }
            }
        case .everything:
            for part in parts {
                part.shard.withLock { shard in
                    guard !keepsFormer else { return shard.doubtAll(from: .now) }
                    userCount.subtract(shard.count, ordering: .relaxed)
                    shard.forgetAll()
                }
            }
        }
    }

    /// Announces that a transaction is about to be committed, each user once.
    ///
    /// A call of ``settle(_:)`` or ``withdraw(_:)`` must follow.
    package func announce(_ changes: [UserLevelChange]) {
        for change in changes {
            let hash = change.user.hashValue
            part(hash).shard.withLock { $0.open(hash: hash) }
        }
    }

    /// Records that a transaction is on disk.
    ///
    /// Must be called before any caller gets its result.
    package func settle(_ changes: [UserLevelChange]) {
        for change in changes {
            let hash = change.user.hashValue
            part(hash).shard
                .withLock { shard in
                    _ = shard.replace(change.user, by: change.access, version: change.version)
                    shard.close(hash: hash)
                }
        }
    }

    /// Records that a transaction could not be committed.
    ///
    /// Its users must be read from the store again.
    package func withdraw(_ changes: [UserLevelChange]) {
        for change in changes {
            let hash = change.user.hashValue
            part(hash).shard
                .withLock { shard in
                    forget(change.user, hash: hash, in: &shard)
                    shard.close(hash: hash)
                }
        }
    }

    private func remember(_ access: UserAccess?, version: Int, of user: UserID, in shard: inout UserLevelShard) {
        if shard.replace(user, by: access, version: version) { return }
        if takePlace() {
            shard.append(user, access: access, version: version)
        } else {
            shard.supplant(user, access: access, version: version)
        }
    }

    private func forget(_ user: UserID, hash: Int, in shard: inout UserLevelShard) {
        guard !keepsFormer else { return shard.doubt(user, hash: hash, from: .now) }
        if shard.forget(user, hash: hash) { userCount.subtract(1, ordering: .relaxed) }
    }

    /// Reserves the space of one user, if all shards together have fewer than `capacity`.
    private func takePlace() -> Bool {
        guard userCount.load(ordering: .relaxed) < capacity else { return false }
        if userCount.add(1, ordering: .relaxed).newValue <= capacity { return true }
        userCount.subtract(1, ordering: .relaxed)
        return false
    }

    private func part(_ hash: Int) -> Part {
        // Uses other bits of the hash than the shard itself does.
        parts[(hash >> 16) & (parts.count - 1)]
    }
}

/// A time of the monotonic clock, in nanoseconds, which is read without a system call (vdso(7)).
///
/// The clock stops while the machine is suspended, as other processes do.
package struct MonotonicInstant: Sendable {
    /// The nanoseconds since the start of the clock.
    package let nanoseconds: Int64

    /// Creates the time at a number of nanoseconds since the start of the clock.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time.
    package static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(clock, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    #if os(Linux)
    // Accurate to some milliseconds. The finer clock is a system call on some virtual machines.
    private static let clock = CLOCK_MONOTONIC_COARSE
    #else
    private static let clock = CLOCK_MONOTONIC
    #endif

    /// Returns the time after a duration.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = duration.components
        return MonotonicInstant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

extension MonotonicInstant: Comparable {
    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
