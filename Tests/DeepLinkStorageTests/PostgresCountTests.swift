import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of counts of all users in PostgreSQL, which may take long: here a lock holds them up.
@Suite(PostgresFixture.isThere) struct PostgresCountTests {
    private static let time = Timestamp(millisecondsSinceEpoch: 5)

    /// A count that waits for a lock.
    private static let waiting = """
        SELECT count(*) FROM pg_stat_activity, pg_locks WHERE query LIKE 'SELECT level, NULL::bigint, level_after%' AND wait_event_type = 'Lock'
            AND pg_locks.pid = pg_stat_activity.pid AND relation = 'user_state'::regclass AND NOT granted
        """

    /// Runs a body with a server whose table of users nobody can read until `release` is called.
    private func withLock(
        timeouts: PostgresStore.Timeouts = PostgresFixture.patient,
        _ body: (PostgresFixture, PostgresStore, _ release: () async throws -> Void) async throws -> Void
    ) async throws {
        try await PostgresFixture.with { fixture in
            let store = try await fixture.open(timeouts: timeouts)
            _ = try await store.save(StoreFixture.write("ada"))
            let lock = DatabaseReader(
                "lock",
                location: try fixture.location,
                health: DatabaseHealth(),
                timeout: PostgresFixture.patient.read
            )
            try await lock.run { connection throws(PostgresError) in
                _ = try connection.run(["BEGIN", "LOCK TABLE user_state IN ACCESS EXCLUSIVE MODE"])
            }
            try await body(fixture, store) {
                try await lock.run { connection throws(PostgresError) in
                    _ = try connection.run("COMMIT")
                }
            }
            lock.close()
            store.close()
        }
    }

    /// Waits until so many counts wait for the lock, for some minutes at most.
    private func await(_ count: Int64, _ fixture: PostgresFixture) async throws -> Bool {
        for _ in 0..<30_000 {
            if try await fixture.number(Self.waiting) == count { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func `a count may take longer than other reads, and holds none of them up`() async throws {
        let usual = PostgresStore.Timeouts()
        #expect(usual.count(isServing: true) > usual.read && usual.count(isServing: false) > usual.read)
        var timeouts = PostgresFixture.patient
        timeouts.count = .seconds(3600)
        try await withLock(timeouts: timeouts) { fixture, store, release in
            async let counts = store.levelCounts(at: Self.time)
            #expect(try await self.await(1, fixture))
            for _ in 0..<4 {
                #expect(try await store.history(of: StoreFixture.id("ada"), after: 0, limit: 10).count == 1)
            }
            try await release()
            #expect(try await counts.total == 1)
        }
    }

    @Test func `a count that takes too long ends, in the database also, and says nothing of the database`() async throws
    {
        var timeouts = PostgresFixture.patient
        timeouts.count = .milliseconds(500)
        try await withLock(timeouts: timeouts) { fixture, store, release in
            await #expect(throws: PostgresError.self) { try await store.levelCounts(at: Self.time) }
            #expect(throws: Never.self) { try store.checkUsable() }
            #expect(try await self.await(0, fixture))
            try await release()
            #expect(try await store.levelCounts(at: Self.time).total == 1)
        }
    }
}
