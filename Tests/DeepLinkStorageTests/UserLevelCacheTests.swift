import DeepLinkCore
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkStorage

/// Tests of what is remembered of users' levels, against a file that a test plays.
@Suite struct UserLevelCacheTests {
    /// The moment at which a commit falls into a read.
    enum Course: CaseIterable {
        case announcedAndSettledWithin, announcedWithin, settledWithin, around, withdrawnWithin

        /// Another process changed the user, or possibly everything.
        case foreignWithin, everythingWithin
    }

    private let user: UserID
    private let old: UserAccess
    private let new: UserAccess

    private static func id(_ text: String) throws -> UserID { try #require(UserID(text)) }

    init() throws {
        user = try Self.id("ada")
        old = try #require(UserAccess(level: .signedInUser))
        new = try #require(UserAccess(level: .premiumUser))
    }

    /// A cache that answers for as long as the test runs.
    private func cache(_ capacity: Int) -> UserLevelCache {
        let cache = UserLevelCache(capacity: capacity, lease: .seconds(86_400))
        cache.confirm(asOf: .now)
        return cache
    }

    /// Asks for a user, and says whether that took a read.
    private func isRead(_ user: UserID, _ cache: UserLevelCache) -> Bool {
        var isRead = false
        _ = cache.access(of: user) {
            isRead = true
            return nil
        }
        return isRead
    }

    @Test func `an answer is remembered, and so is that a user has no state`() throws {
        let cache = cache(10)
        for answer in [old, nil] {
            let id = try Self.id(answer == nil ? "nobody" : "ada")
            #expect(cache.access(of: id) { answer } == answer)
            #expect(cache.access(of: id) { new } == answer)
        }
        #expect(cache.count == 2)
    }

    @Test(arguments: [1, 2, 1000, 3000, 20_000])
    func `it remembers as many users as it may, and never more`(_ capacity: Int) async throws {
        let cache = cache(capacity)
        await withTaskGroup { group in
            for asker in 0..<4 {
                group.addTask {
                    for number in 0..<capacity * 2 {
                        guard let id = UserID("user-\(asker % 2)-\(number)") else { continue }
                        _ = cache.access(of: id) { nil }
                        if number.isMultiple(of: 500) { #expect(cache.count <= capacity) }
                    }
                }
            }
        }
        #expect(cache.count == capacity)
        cache.note(.everything)
        #expect(cache.count == 0)
        for number in 0..<capacity * 4 { _ = cache.access(of: try Self.id("next-\(number)")) { nil } }
        #expect(cache.count == capacity)
    }

    @Test func `users who are asked for stay, whoever else comes by`() throws {
        let cache = cache(100)
        let regulars = try (0..<50).map { try Self.id("regular-\($0)") }
        for id in regulars { _ = cache.access(of: id) { nil } }
        for number in 0..<2000 {
            if number.isMultiple(of: 20) { for id in regulars { #expect(!isRead(id, cache), "\(number)") } }
            _ = cache.access(of: try Self.id("visitor-\(number)")) { nil }
        }
    }

    @Test func `a user who is forgotten makes room, and nobody else is lost`() throws {
        let cache = cache(100)
        let all = try (0..<100).map { try Self.id("user-\($0)") }
        for id in all { _ = cache.access(of: id) { nil } }
        cache.note(.users(Array(all[20..<70])))
        #expect(cache.count == 50)
        for id in all[..<20] + all[70...] { #expect(!isRead(id, cache)) }
        for id in all[20..<70] { #expect(isRead(id, cache)) }
        for id in all { #expect(!isRead(id, cache)) }
    }

    @Test(arguments: Course.allCases)
    func `what a read finds is not remembered where a change falls into it`(_ course: Course) {
        let cache = cache(10)
        let change = [UserLevelChange(user: user, access: new)]
        if [.settledWithin, .around].contains(course) { cache.announce(change) }
        let answer = cache.access(of: user) {
            // The file said so before the change was in it.
            switch course {
            case .announcedAndSettledWithin:
                cache.announce(change)
                cache.settle(change)
            case .announcedWithin: cache.announce(change)
            case .settledWithin: cache.settle(change)
            case .around: break
            case .withdrawnWithin:
                cache.announce(change)
                cache.withdraw(change)
            case .foreignWithin: cache.note(.users([user]))
            case .everythingWithin: cache.note(.everything)
            }
            return old
        }
        #expect(answer == old)
        if [.announcedWithin, .around].contains(course) {
            // The commit is in the file before it is settled: whoever sees it must not be followed by one who does not.
            #expect(cache.access(of: user) { new } == new)
            cache.settle(change)
        }
        #expect(cache.access(of: user) { new } == new)
        #expect(cache.access(of: user) { old } == new)
    }

    @Test func `a commit replaces what is remembered, and nothing is remembered by it alone`() {
        let cache = cache(10)
        let changes = [UserLevelChange(user: user, access: new)]
        cache.announce(changes)
        cache.settle(changes)
        #expect(cache.count == 0)
        #expect(cache.access(of: user) { old } == old)
        cache.announce(changes)
        #expect(cache.access(of: user) { new } == new)
        cache.settle(changes)
        #expect(cache.access(of: user) { nil } == new)
        cache.announce(changes)
        cache.withdraw(changes)
        #expect(cache.access(of: user) { old } == old)
    }

    @Test func `what a store loads meanwhile is remembered with its ticket, unless it may be old`() throws {
        let cache = cache(10)
        /// The ticket of a load that must begin now.
        func ticket() throws -> UserLevelTicket {
            guard case .mustLoad(let ticket) = cache.find(user) else { throw CancellationError() }
            return ticket
        }
        let early = try ticket()
        let change = [UserLevelChange(user: user, access: new)]
        cache.announce(change)
        cache.settle(change)
        cache.remember(old, of: user, ticket: early)
        let late = try ticket()
        cache.remember(new, of: user, ticket: late)
        guard case .known(let grant) = cache.find(user) else { throw CancellationError() }
        #expect(grant == new)
    }

    @Test func `whoever asks after one who has seen a commit sees it too`() {
        let cache = cache(10)
        let change = [UserLevelChange(user: user, access: new)]
        // Somebody reads slowly; meanwhile another one reads and is done before the commit.
        let slow = cache.access(of: user) {
            #expect(cache.access(of: user) { old } == old)
            cache.announce(change)
            return new
        }
        #expect(slow == new)
        #expect(cache.access(of: user) { new } == new)
        cache.settle(change)
        #expect(!isRead(user, cache))
        #expect(cache.access(of: user) { old } == new)
    }

    @Test func `nothing is answered from memory unless others' changes were looked for lately`() {
        let unconfirmed = UserLevelCache(capacity: 10)
        let late = UserLevelCache(capacity: 10, lease: .zero)
        late.confirm(asOf: .now)
        for cache in [unconfirmed, late] {
            for grant in [old, new, nil, old] { #expect(cache.access(of: user) { grant } == grant) }
        }
        let cache = cache(10)
        #expect(cache.access(of: user) { old } == old)
        #expect(cache.access(of: user) { new } == old)
    }

    /// A stand-in for the file, which notes what was acknowledged and seen.
    private final class World: Sendable {
        let stored = Atomic(0)
        let acknowledged = Atomic(0)
        let seen = Atomic(0)
        let isOver = Atomic(false)
    }

    @Test(arguments: [2, 64])
    func `nobody ever sees less than was acknowledged, or seen, before the question`(_ capacity: Int) async throws {
        let rounds = Effort.part(of: 20_000)
        let cache = cache(capacity)
        let users = try (0..<3).map { try Self.id("user-\($0)") }
        let worlds = users.map { _ in World() }
        await withTaskGroup { group in
            for reader in 0..<3 {
                group.addTask {
                    var number = reader
                    while !worlds[0].isOver.load(ordering: .relaxed) {
                        number += 1
                        let (user, world) = (users[number % 3], worlds[number % 3])
                        let least = max(
                            world.acknowledged.load(ordering: .sequentiallyConsistent),
                            world.seen.load(ordering: .sequentiallyConsistent)
                        )
                        let access = cache.access(of: user) {
                            let stored = world.stored.load(ordering: .sequentiallyConsistent)
                            // A while between the read and what is made of it.
                            for _ in 0..<number % 7 * 50 { _ = world.isOver.load(ordering: .acquiring) }
                            return UserAccess(
                                level: .premiumUser,
                                validUntil: Timestamp(millisecondsSinceEpoch: Int64(stored))
                            )
                        }
                        let version = Int(access?.level?.validUntil?.millisecondsSinceEpoch ?? -1)
                        if version < least {
                            Issue.record("saw \(version) after \(least)")
                            return
                        }
                        world.seen.max(version, ordering: .sequentiallyConsistent)
                        if number.isMultiple(of: 64) { await Task.yield() }
                    }
                }
            }
            for round in 1...rounds {
                let chosen = (0..<3).filter { round % 3 != $0 }
                let end = Timestamp(millisecondsSinceEpoch: Int64(round))
                let grant = UserAccess(level: .premiumUser, validUntil: end)
                let changes = chosen.map { UserLevelChange(user: users[$0], access: grant) }
                cache.announce(changes)
                for index in chosen { worlds[index].stored.store(round, ordering: .sequentiallyConsistent) }
                cache.settle(changes)
                for index in chosen { worlds[index].acknowledged.store(round, ordering: .sequentiallyConsistent) }
                if round.isMultiple(of: 50) { cache.note(.everything) }
                if round.isMultiple(of: 16) { await Task.yield() }
            }
            worlds[0].isOver.store(true, ordering: .relaxed)
        }
        #expect(worlds.allSatisfy { $0.seen.load(ordering: .relaxed) > 0 })
    }
}
