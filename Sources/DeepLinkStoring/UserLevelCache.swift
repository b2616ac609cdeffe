import CoreMetrics
package import DeepLinkCore
import DeepLinkMetrics
import Synchronization

/// A memory of what decides the levels of up to so many users, those without a state included.
///
/// It says what the store said when the last write through it was acknowledged, or later:
/// - a write is announced before its commit, and settled after it, before anybody is told of it. In between its users
///   are read from the store, where the change may be already, and nothing that is read is remembered;
/// - what was read before an announcement is not remembered after it.
///
/// Users whom others change are forgotten when that is found. An answer is given only for as long after a look for such
/// changes as one may stay unseen; where looks are late, or fail, every question goes to the store.
///
/// Users are spread over parts with a lock each, held for less than a microsecond and never over a read of the store. A
/// question that is answered from memory makes no system call and allocates nothing. Memory is taken as users come: for
/// ids of up to 15 bytes some 110 bytes each, for UUIDs some 210, for the longest ids some 460.
package final class UserLevelCache: ExternalChangeObserver {
    private final class Part: Sendable {
        let shard = Mutex(UserLevelShard())
    }

    /// For how long after a look for changes of others an answer is given: they are seen within a second.
    package static let lease = Duration.milliseconds(900)

    /// The number of users that a part is meant for.
    private static let usersPerPart = 1024

    private static let maximumPartCount = 1024

    /// The most users that are remembered.
    let capacity: Int

    /// Whether what is no more known to count is kept, for ``findLate(_:atLeast:within:)``.
    private let keepsFormer: Bool

    private let parts: [Part]
    private let leaseNanoseconds: Int64
    private let userCount = Atomic(0)
    private let hits = Counter(label: MetricName.levelCacheLookups.rawValue, dimensions: [("outcome", "hit")])
    private let misses = Counter(label: MetricName.levelCacheLookups.rawValue, dimensions: [("outcome", "miss")])

    /// The moment until which an answer is given, in nanoseconds.
    private let end = Atomic(Int64.min)

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: the most users that are remembered.
    ///   - lease: for how long after ``confirm(asOf:)`` an answer is given.
    ///   - keepsFormer: whether ``findLate(_:atLeast:within:)`` finds what was replaced lately.
    package init(capacity: Int, lease: Duration = lease, keepsFormer: Bool = false) {
        self.capacity = capacity
        self.keepsFormer = keepsFormer
        leaseNanoseconds = lease.components.seconds * 1_000_000_000 + lease.components.attoseconds / 1_000_000_000
        var count = 1
        while count < Self.maximumPartCount, count * Self.usersPerPart < capacity { count *= 2 }
        parts = (0..<count).map { _ in Part() }
    }

    /// The number of users that are remembered now.
    package var count: Int { parts.reduce(0) { sum, part in sum + part.shard.withLock(\.count) } }

    /// Whether answers are given from memory now.
    private var isCurrent: Bool { Moment.now.nanoseconds < end.load(ordering: .acquiring) }

    /// Returns what is at hand of a user, without waiting for anything.
    ///
    /// - Parameters:
    ///   - user: whom to find.
    ///   - version: the version that the user must have come to; 0 for any.
    /// - Returns: the grant, or a ticket for a read.
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

    /// Returns a ticket for a read of a user that begins now, since `find` found nothing.
    package func ticket(for user: UserID) -> UserLevelTicket {
        let hash = user.hashValue
        return part(hash).shard.withLock { $0.ticket(hash) }
    }

    /// The time since the last look for changes of others, in seconds; `nil` before the first.
    package var age: Double? {
        let end = end.load(ordering: .acquiring)
        guard end != .min else { return nil }
        return Double(Moment.now.nanoseconds - (end - leaseNanoseconds)) / 1_000_000_000
    }

    /// Returns what was remembered of a user, though looks are late, for a time after an answer was last given from memory.
    package func findLate(_ user: UserID, atLeast version: Int = 0, within time: Duration) -> UserLevelFinding {
        let hash = user.hashValue
        let end = Moment(nanoseconds: max(end.load(ordering: .acquiring), 0))
        let now = Moment.now
        let isInTime = now < end.advanced(by: time)
        // As old as it may be where looks are late, however long ago it was replaced.
        let oldest = now.advanced(by: .zero - time)
        return part(hash).shard
            .withLock { shard in
                isInTime
                    ? shard.findFormer(user, hash: hash, atLeast: version, since: oldest)
                    : .mustLoad(shard.ticket(hash))
            }
    }

    /// Returns whether answers are given from memory, or were until so long ago.
    package func isUsable(within time: Duration) -> Bool {
        Moment.now < Moment(nanoseconds: max(end.load(ordering: .acquiring), 0)).advanced(by: time)
    }

    /// Remembers what was loaded of a user after a look-up by `find`, if nothing has changed meanwhile.
    package func remember(_ grant: LevelGrant?, version: Int = 0, of user: UserID, _ ticket: UserLevelTicket) {
        part(ticket.hash).shard
            .withLock { shard in
                if shard.accepts(ticket) { remember(grant, version, of: user, in: &shard) }
            }
    }

    /// Returns a user's grant from memory, else by a read of the store, which is remembered if nothing has changed
    /// meanwhile.
    package func grant(of user: UserID, orRead read: () throws -> LevelGrant?) rethrows -> LevelGrant? {
        switch find(user) {
        case .known(let grant): return grant
        case .mustLoad(let ticket):
            let grant = try read()
            remember(grant, of: user, ticket)
            return grant
        }
    }

    /// Takes note that all changes of others up to a moment were found, and what they concern forgotten.
    package func confirm(asOf moment: Moment) {
        end.store(moment.nanoseconds + leaseNanoseconds, ordering: .releasing)
    }

    /// Forgets what others may have changed.
    package func note(_ change: ExternalChange) {
        switch change {
        case .users(let users):
            for user in users {
                let hash = user.hashValue
                part(hash).shard.withLock { forget(user, hash, in: &$0) }
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

    /// Takes note that a transaction is about to be committed, each user once; ``settle(_:)`` or ``withdraw(_:)`` must follow.
    package func announce(_ changes: [UserLevelChange]) {
        for change in changes {
            let hash = change.user.hashValue
            part(hash).shard.withLock { $0.open(hash: hash) }
        }
    }

    /// Takes note that a transaction is on disk; to be called before anybody is told of it.
    package func settle(_ changes: [UserLevelChange]) {
        for change in changes {
            let hash = change.user.hashValue
            part(hash).shard
                .withLock { shard in
                    _ = shard.replace(change.user, by: change.grant, change.version)
                    shard.close(hash: hash)
                }
        }
    }

    /// Takes note that a transaction could not be committed: the store alone knows what it holds now.
    package func withdraw(_ changes: [UserLevelChange]) {
        for change in changes {
            let hash = change.user.hashValue
            part(hash).shard
                .withLock { shard in
                    forget(change.user, hash, in: &shard)
                    shard.close(hash: hash)
                }
        }
    }

    private func remember(_ grant: LevelGrant?, _ version: Int, of user: UserID, in shard: inout UserLevelShard) {
        if shard.replace(user, by: grant, version) { return }
        if takePlace() { shard.append(user, grant, version) } else { shard.supplant(user, grant, version) }
    }

    private func forget(_ user: UserID, _ hash: Int, in shard: inout UserLevelShard) {
        guard !keepsFormer else { return shard.doubt(user, hash: hash, from: .now) }
        if shard.forget(user, hash: hash) { userCount.subtract(1, ordering: .relaxed) }
    }

    /// Takes one of the places, which are as many as users may be remembered in all parts together.
    private func takePlace() -> Bool {
        guard userCount.load(ordering: .relaxed) < capacity else { return false }
        if userCount.add(1, ordering: .relaxed).newValue <= capacity { return true }
        userCount.subtract(1, ordering: .relaxed)
        return false
    }

    private func part(_ hash: Int) -> Part {
        // Other bits than those that a part itself goes by.
        parts[(hash >> 16) & (parts.count - 1)]
    }
}
