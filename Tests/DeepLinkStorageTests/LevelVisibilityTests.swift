import DeepLinkCore
import DeepLinkStorage
import Dispatch
import GRDB
import Logging
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests that a server's store, which remembers levels, answers as the file does.
@Suite struct LevelVisibilityTests {
    /// The way in which another process changes a user.
    enum ForeignWay: CaseIterable {
        case save, batch, removal

        /// With the SQLite shell, past the history.
        case update, deletion

        /// A backup is put in place of everything.
        case restoration
    }

    /// The progress of the writes of a user; each has a number, and every eighth is a removal.
    private final class Progress: Sendable {
        static let removalInterval = 8

        let begun = Atomic(0)
        let acknowledged = Atomic(0)
        let seen = Atomic(0)
        let isOver = Atomic(false)

        /// Returns the last removal up to a number.
        static func lastRemoval(_ number: Int) -> Int { number / removalInterval * removalInterval }
    }

    private func removal(_ name: String) throws -> UserStateRemoval {
        UserStateRemoval(id: try StoreFixture.id(name), time: Timestamp(millisecondsSinceEpoch: 2), author: "test")
    }

    private func level(_ store: SQLiteStore, _ name: String = "ada") throws -> AuthorizationLevel? {
        try store.access(of: StoreFixture.id(name))?.level?.level(in: .standard, hasEnded: false)
    }

    private func execute(_ sql: String, _ fixture: StoreFixture) async throws {
        let queue = try DatabaseQueue(path: fixture.path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(arguments: [2, 1000])
    func `a write is seen by whoever asks after it was acknowledged`(_ capacity: Int) async throws {
        let rounds = Effort.part(of: 400)
        try await StoreFixture.with { fixture in
            let store = try fixture.remembering(capacity)
            let users = try (0..<3).map { try StoreFixture.id("user-\($0)") }
            let all = users.map { _ in Progress() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in 0..<3 {
                    group.addTask {
                        var turn = reader
                        while !all.allSatisfy({ $0.isOver.load(ordering: .relaxed) }) {
                            turn += 1
                            try look(store, users[turn % 3], all[turn % 3])
                            if turn.isMultiple(of: 16) { await Task.yield() }
                        }
                    }
                }
                for (user, progress) in zip(users, all) {
                    group.addTask { try await write(rounds, user, progress, store) }
                }
                try await group.waitForAll()
            }
            #expect(try #require(store.levels).count <= capacity)
            #expect(all.allSatisfy { $0.seen.load(ordering: .relaxed) > 0 })
            try store.close()
        }
    }

    private func write(
        _ rounds: Int,
        _ user: UserID,
        _ progress: Progress,
        _ store: SQLiteStore
    ) async throws {
        defer { progress.isOver.store(true, ordering: .relaxed) }
        for number in 1...rounds {
            progress.begun.store(number, ordering: .sequentiallyConsistent)
            if number.isMultiple(of: Progress.removalInterval) {
                #expect(try await store.remove(removal(user.text)))
            } else {
                let write = try StoreFixture.write(user.text, .premiumUser, until: Int64(number))
                if number.isMultiple(of: 3) {
                    _ = try await store.saveEach([write])
                } else {
                    _ = try await store.save(write)
                }
            }
            progress.acknowledged.store(number, ordering: .sequentiallyConsistent)
        }
    }

    /// Asks once, and compares with what must be seen, and what can be.
    private func look(_ store: SQLiteStore, _ user: UserID, _ progress: Progress) throws {
        let least = max(
            progress.acknowledged.load(ordering: .sequentiallyConsistent),
            progress.seen.load(ordering: .sequentiallyConsistent)
        )
        let level = try store.access(of: user)?.level
        let most = progress.begun.load(ordering: .sequentiallyConsistent)
        if let level {
            let number = Int(level.validUntil?.millisecondsSinceEpoch ?? -1)
            try #require(number >= least && number <= most, "saw \(number), not one of \(least)…\(most)")
            progress.seen.max(number, ordering: .sequentiallyConsistent)
        } else {
            let removal = Progress.lastRemoval(most)
            try #require(removal >= least || least == 0, "saw none, not one of \(least)…\(most)")
        }
    }

    @Test(arguments: ForeignWay.allCases)
    func `what another process changes is seen after the next look`(_ way: ForeignWay) async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            for name in ["ada", "bob"] { _ = try await server.save(StoreFixture.write(name, .premiumUser)) }
            for name in ["ada", "bob"] { #expect(try level(server, name) == .premiumUser) }
            let other = try fixture.offline()
            switch way {
            case .save: _ = try await other.save(StoreFixture.write("ada"))
            case .batch:
                _ = try await other.saveEach([StoreFixture.write("bob", .premiumUser), StoreFixture.write("ada")])
            case .removal: _ = try await other.remove(removal("ada"))
            case .update: try await execute("UPDATE user_state SET level = 'signedInUser' WHERE id = 'ada'", fixture)
            case .deletion: try await execute("DELETE FROM user_state WHERE id = 'ada'", fixture)
            case .restoration:
                let sql = "DELETE FROM user_history WHERE user_id = 'bob'; UPDATE user_state SET level = 'signedInUser'"
                try await execute(sql + " WHERE id = 'ada'", fixture)
            }
            // From memory, so that the test proves something.
            #expect(try level(server) == .premiumUser)
            try await server.pollExternalChanges()
            let wanted: AuthorizationLevel? = [.removal, .deletion].contains(way) ? nil : .signedInUser
            #expect(try level(server) == wanted)
            #expect(try level(server, "bob") == .premiumUser)
            try other.close()
            try server.close()
        }
    }

    @Test func `a grant that another process writes or removes is seen after the next look`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            let (id, pro) = (try StoreFixture.id("ada"), try #require(GrantName("pro")))
            let time = Timestamp(millisecondsSinceEpoch: 2)
            func holds() throws -> Bool { try server.access(of: id)?.holds(pro, at: time) ?? false }
            _ = try await server.save(StoreFixture.write("ada", .premiumUser))
            #expect(try !holds())
            let other = try fixture.offline()
            for (change, isHeld) in [(GrantWrite.Change.hold(until: nil), true), (.remove, false)] {
                _ = try await other.save(GrantWrite(id: id, name: pro, change: change, time: time, author: "test"))
                // From memory, so that the test proves something.
                #expect(try holds() == !isHeld)
                try await server.pollExternalChanges()
                #expect(try holds() == isHeld)
                #expect(try level(server) == .premiumUser)
            }
            try other.close()
            try server.close()
        }
    }

    @Test func `a write of one's own finds others' changes, too`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            _ = try await server.save(StoreFixture.write("ada", .premiumUser))
            #expect(try level(server) == .premiumUser)
            try await execute("UPDATE user_state SET level = 'signedInUser' WHERE id = 'ada'", fixture)
            _ = try await server.save(StoreFixture.write("bob"))
            #expect(try level(server) == .signedInUser)
            try server.close()
        }
    }

    @Test func `maintenance makes others' changes seen by itself`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            _ = try await server.save(StoreFixture.write("ada", .premiumUser))
            let maintenance = Task {
                await StoreMaintenance(store: server, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                    .run()
            }
            for wanted in [AuthorizationLevel.none, .signedInUser, .onboardingCompleted] {
                _ = try level(server)
                try await execute("UPDATE user_state SET level = '\(wanted.name)' WHERE id = 'ada'", fixture)
                while try level(server) != wanted { try await Task.sleep(for: .milliseconds(5)) }
            }
            maintenance.cancel()
            await maintenance.value
            try server.close()
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `others' changes are seen also while the connection that looks for them is kept`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.serving()
            _ = try await server.save(StoreFixture.write("ada", .premiumUser))
            let (isHeld, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            server.pool.asyncWriteWithoutTransaction { _ in
                isHeld.signal()
                mayGo.wait()
            }
            defer { mayGo.signal() }
            try await RawConnection.offPool { isHeld.wait() }
            #expect(try level(server) == .premiumUser)
            try await execute("UPDATE user_state SET level = 'onboardingCompleted' WHERE id = 'ada'", fixture)
            while try level(server) != .onboardingCompleted { try await Task.sleep(for: .milliseconds(5)) }
            mayGo.signal()
            try await server.pollExternalChanges()
            #expect(try level(server) == .onboardingCompleted)
            try server.close()
        }
    }

    @Test func `whoever does not look remembers nothing`() async throws {
        try await StoreFixture.with { fixture in
            do {
                let server = try fixture.serving()
                _ = try await server.save(StoreFixture.write("ada", .premiumUser))
                try server.close()
            }
            let open: [() throws -> SQLiteStore] = [
                fixture.offline,
                { try SQLiteStore(path: fixture.path, use: .serving, maximumCachedUsers: 0) },
                { try SQLiteStore(path: fixture.path, use: .serving, pollLease: .zero) },
            ]
            for open in open {
                let store = try open()
                for level in [AuthorizationLevel.premiumUser, .onboardingCompleted, .signedInUser, .none] {
                    try await execute("UPDATE user_state SET level = '\(level.name)' WHERE id = 'ada'", fixture)
                    #expect(try self.level(store) == level)
                }
                try store.close()
            }
        }
    }

    @Test func `of several changes of a user in one commit the last counts`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            for level in [AuthorizationLevel.onboardingCompleted, .premiumUser] {
                _ = try await server.saveEach([
                    StoreFixture.write("ada", .signedInUser), StoreFixture.write("bob"),
                    StoreFixture.write("ada", AuthorizationLevel.none), StoreFixture.write("ada", level),
                ])
                for _ in 0..<2 { #expect(try self.level(server) == level) }
            }
            try server.close()
        }
    }

    @Test func `a change that fails leaves the former level`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            _ = try await server.save(StoreFixture.write("ada", .premiumUser))
            #expect(try level(server) == .premiumUser)
            let writes = [try StoreFixture.write("ada"), try StoreFixture.write("bob", if: .exists)]
            let outcomes = try await server.saveEach(writes)
            #expect(outcomes[1] == .failure(.versionMismatch(current: nil)))
            #expect(try server.state(of: StoreFixture.id("bob")) == nil)
            for _ in 0..<2 {
                #expect(try level(server) == .signedInUser)
                server.levels?.note(.everything)
            }
            let writer = try StoreFixture.write("ada", .premiumUser, if: .absent)
            await #expect(throws: UserStateWriteError.self) { try await server.save(writer) }
            #expect(try level(server) == .signedInUser)
            try server.close()
        }
    }

    @Test func `a page that cannot be read is an error, each time, and the others are read`() async throws {
        try await StoreFixture.with { fixture in
            let writer = try fixture.offline()
            _ = try await writer.saveEach((0..<1000).map { try StoreFixture.write("user-\($0)") })
            try writer.close()
            try fixture.damagePage()
            let server = try fixture.remembering()
            var failures: [Int] = []
            for _ in 0..<2 {
                failures.append(0)
                for number in 0..<1000 {
                    do {
                        let level = try self.level(server, "user-\(number)")
                        #expect(level == .signedInUser)
                    } catch let error as StoreOpenError {
                        #expect(error.isDamage)
                        failures[failures.count - 1] += 1
                    }
                }
            }
            #expect(failures[0] > 0 && failures[0] < 1000 && failures[0] == failures[1])
            try server.close()
        }
    }

    @Test func `a row that no state can be is an error, each time`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            _ = try await server.save(StoreFixture.write("ada", .premiumUser))
            let sql = "PRAGMA ignore_check_constraints = 1; UPDATE user_state SET level = '7'"
            try await execute(sql, fixture)
            try await server.pollExternalChanges()
            for _ in 0..<2 { #expect(throws: StoreOpenError.self) { try level(server) } }
            try server.close()
        }
    }
}
