import DeepLinkCore
import DeepLinkStoring
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of counts of all users in PostgreSQL, which may take long: here a lock holds them up.
@Suite(PostgresFixture.isThere) struct PostgresCountTests {
    private static let time = Timestamp(millisecondsSinceEpoch: 5)

    /// A count that waits for a lock.
    private static let waiting = """
        SELECT count(*) FROM pg_stat_activity, pg_locks WHERE query LIKE '%GROUP BY rank%' AND wait_event_type = 'Lock'
            AND pg_locks.pid = pg_stat_activity.pid AND relation = 'user_state'::regclass AND NOT granted
        """

    /// Runs a body with a server whose table of users nobody can read until `release` is called.
    private func withLock(
        countTimeout: Duration? = nil,
        _ body: (PostgresFixture, PostgresStore, _ release: () async throws -> Void) async throws -> Void
    ) async throws {
        try await PostgresFixture.with { fixture in
            let store = try await fixture.open(countTimeout: countTimeout)
            _ = try await store.save(StoreFixture.write("ada"))
            let secrets = Secrets(erasureKey: [])
            let lock = DatabaseReader("lock", try fixture.location, DatabaseHealth(), timeout: .seconds(60), secrets)
            try await lock.run { connection, deadline throws(PostgresError) in
                _ = try connection.run(
                    [Statement("BEGIN"), Statement("LOCK TABLE user_state IN ACCESS EXCLUSIVE MODE")],
                    until: deadline
                )
            }
            try await body(fixture, store) {
                try await lock.run { connection, deadline throws(PostgresError) in
                    _ = try connection.run(Statement("COMMIT"), until: deadline)
                }
            }
            lock.close()
            store.close()
        }
    }

    /// Waits until so many counts wait for the lock, for some seconds.
    private func await(_ count: Int64, _ fixture: PostgresFixture) async throws -> Bool {
        for _ in 0..<1000 {
            if try await fixture.number(Self.waiting) == count { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func `a count that takes longer than other reads may is answered, and holds none of them up`() async throws {
        try await withLock { fixture, store, release in
            async let counts = store.levelCounts(at: Self.time)
            #expect(try await self.await(1, fixture))
            for _ in 0..<4 {
                #expect(try await store.history(of: StoreFixture.id("ada"), after: 0, limit: 10).count == 1)
                try await Task.sleep(for: .seconds(1))
            }
            try await release()
            #expect(try await counts.total == 1)
        }
    }

    @Test func `a count that takes too long ends, in the database also, and says nothing of the database`() async throws
    {
        try await withLock(countTimeout: .milliseconds(500)) { fixture, store, release in
            await #expect(throws: PostgresError.self) { try await store.levelCounts(at: Self.time) }
            #expect(throws: Never.self) { try store.checkUsable() }
            #expect(try await self.await(0, fixture))
            try await release()
            #expect(try await store.levelCounts(at: Self.time).total == 1)
        }
    }
}
