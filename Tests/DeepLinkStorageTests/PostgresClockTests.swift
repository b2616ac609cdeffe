import DeepLinkCore
import DeepLinkStorage
import Foundation
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of the one clock that orders the changes of all replicas: that of the database.
@Suite(PostgresFixture.isThere) struct PostgresClockTests {
    /// The time of the machine that the tests share with the database, moved by so many milliseconds.
    private func now(_ lead: Int64 = 0) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000) + lead)
    }

    private func write(_ level: AuthorizationLevel, asOf effectiveTime: Timestamp? = nil, at time: Timestamp) throws
        -> UserStateWrite
    {
        UserStateWrite(
            id: try StoreFixture.id("alice"),
            level: try #require(LevelAssignment(level: level)),
            time: time,
            author: "test",
            asOf: effectiveTime
        )
    }

    private func withStore(_ body: (PostgresStore, LogLines) async throws -> Void) async throws {
        try await PostgresFixture.with { fixture in
            let lines = LogLines()
            let store = try await fixture.open(clock: .database, logger: lines.logger)
            try await body(store, lines)
            store.close()
        }
    }

    @Test(arguments: [20_000, -20_000, 86_400_000, -86_400_000] as [Int64])
    func `a change without a moment is ordered by the database's clock, whatever the replica's says`(_ lead: Int64)
        async throws
    {
        try await withStore { store, lines in
            let before = now()
            let first = try await store.save(write(.premiumUser, at: now(lead))).state
            let after = now()
            let asOf = try #require(first.asOf)
            #expect((before...after).contains(asOf) && first.updatedAt == asOf)
            let history = try await store.history(of: first.id, after: 0, limit: 9)
            #expect(history.map(\.at) == [first.asOf] && history.map(\.asOf) == [nil])
            // Another replica, whose clock is right, brings an event of a moment later.
            try await Task.sleep(for: .milliseconds(2))
            let revoked = try await store.save(write(.none, asOf: now(), at: now())).state
            #expect(revoked.version == 2 && revoked.level.level == .none)
            #expect(lines.text.isEmpty)
        }
    }

    @Test func `a removal is ordered by the database's clock, too`() async throws {
        try await withStore { store, _ in
            _ = try await store.save(write(.premiumUser, at: now(-86_400_000)))
            let id = try StoreFixture.id("alice")
            let early = now(-1000)
            #expect(try await store.remove(UserStateRemoval(id: id, time: now(86_400_000), author: "test")))
            await #expect(throws: UserStateWriteError.superseded(by: nil)) {
                try await store.save(write(.premiumUser, asOf: early, at: now()))
            }
            try await Task.sleep(for: .milliseconds(2))
            #expect(try await store.save(write(.signedInUser, asOf: now(), at: now())).state.version == 3)
        }
    }

    @Test func `a stored moment is held against the database's clock, and what is left out is logged`() async throws {
        try await withStore { store, lines in
            // A replica whose clock is an hour ahead has let an event of the future in.
            _ = try await store.save(write(.premiumUser, asOf: now(3_600_000), at: now(3_600_000)))
            _ = try? await store.save(write(.none, asOf: now(-3_600_000), at: now()))
            #expect(lines.text.contains("warning A stored moment is too far ahead of the clock"))
            #expect(lines.text.contains("notice A dated change was left out"))
            #expect(try await store.save(write(.none, asOf: now(-5), at: now())).state.version == 2)
        }
    }

    @Test func `changes of one user that wait for each other are dated in their order`() async throws {
        try await PostgresFixture.with { fixture in
            let stores = [try await fixture.open(clock: .database), try await fixture.open(clock: .database)]
            _ = try await stores[0].save(write(.none, at: now()))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        // One of them is a day ahead.
                        let time = now(number.isMultiple(of: 2) ? 86_400_000 : 0)
                        let level: AuthorizationLevel = number.isMultiple(of: 3) ? .premiumUser : .signedInUser
                        _ = try await stores[number % 2].save(write(level, at: time))
                    }
                }
                try await group.waitForAll()
            }
            let history = try await stores[0].history(of: StoreFixture.id("alice"), after: 0, limit: 99)
            #expect(history.count > 1)
            #expect(zip(history, history.dropFirst()).allSatisfy { $0.at <= $1.at && $1.asOf == nil })
            for store in stores { store.close() }
        }
    }
}
