import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of what several stores on one PostgreSQL database promise each other.
@Suite(PostgresFixture.isThere) struct PostgresReplicaTests {
    private static let level = AuthorizationLevel.premiumUser

    /// Opens several servers, whose looks for changes only come when a test asks for them.
    private func withReplicas(_ count: Int, _ body: (PostgresFixture, [PostgresStore]) async throws -> Void)
        async throws
    {
        try await PostgresFixture.with { fixture in
            var stores: [PostgresStore] = []
            let memory = PostgresStore.Memory(maximumStaleness: .seconds(3600))
            for _ in 0..<count { stores.append(try await fixture.open(memory: memory)) }
            try await body(fixture, stores)
            for store in stores { store.close() }
        }
    }

    private func grant(_ store: PostgresStore, _ name: String, atLeast version: Int = 0) async throws
        -> AccessLookupResult
    {
        try await store.access(of: StoreFixture.id(name), atLeast: version).value
    }

    // MARK: Changes of others

    @Test func `a change of another is found by a look, and nobody else is forgotten`() async throws {
        try await withReplicas(2) { _, stores in
            let (one, other) = (stores[0], stores[1])
            for name in ["ada", "bob"] {
                _ = try await one.save(StoreFixture.write(name))
                _ = try await grant(other, name)
            }
            try await other.look()
            for name in ["ada", "bob"] { _ = try await grant(other, name) }
            _ = try await one.save(StoreFixture.write("ada", Self.level))
            try await other.look()
            #expect(try other.cachedAccess(of: StoreFixture.id("ada"), atLeast: 0) == nil)
            #expect(try other.cachedAccess(of: StoreFixture.id("bob"), atLeast: 0) != nil)
            // The writer's own change is no news to it.
            _ = try await grant(one, "ada")
            try await one.look()
            #expect(
                try one.cachedAccess(of: StoreFixture.id("ada"), atLeast: 0) == .current(UserAccess(level: Self.level))
            )
            #expect(
                try await one.remove(
                    UserStateRemoval(
                        id: StoreFixture.id("ada"),
                        time: .init(millisecondsSinceEpoch: 5),
                        author: "t",
                        isErasure: true
                    )
                )
            )
            try await other.look()
            #expect(try await grant(other, "ada") == .current(nil))
        }
    }

    @Test func `a grant that is written here counts there after a look, and at once by its version`() async throws {
        try await withReplicas(2) { _, stores in
            let (one, other) = (stores[0], stores[1])
            let (id, pro) = (try StoreFixture.id("ada"), try #require(GrantName("pro")))
            let time = Timestamp(millisecondsSinceEpoch: 5)
            func holds(_ lookup: AccessLookupResult) -> Bool? {
                guard case .current(let access) = lookup else { return nil }
                return access?.holds(pro, at: time) ?? false
            }
            _ = try await one.save(StoreFixture.write("ada"))
            for (change, isHeld) in [(GrantWrite.Change.hold(until: nil), true), (.remove, false)] {
                _ = try await grant(other, "ada")
                let saved = try await one.save(
                    GrantWrite(id: id, name: pro, change: change, time: time, author: "test")
                )
                #expect(holds(try await grant(other, "ada", atLeast: saved.state?.version ?? 0)) == isHeld)
                try await other.look()
                #expect(holds(try await grant(other, "ada")) == isHeld)
            }
        }
    }

    @Test func `a transaction that begins early and ends late is not overlooked`() async throws {
        try await withReplicas(2) { fixture, stores in
            let (one, other) = (stores[0], stores[1])
            _ = try await one.save(StoreFixture.write("ada"))
            _ = try await grant(other, "ada")
            try await other.look()
            _ = try await grant(other, "ada")
            let slow = DatabaseReader(
                "slow",
                location: try fixture.location,
                health: DatabaseHealth(),
                timeout: PostgresFixture.patient.read
            )
            try await slow.run { connection throws(PostgresError) in
                _ = try connection.run(
                    [
                        "BEGIN", "UPDATE user_state SET level = 3, version = 2 WHERE id = 'ada'",
                        """
                        INSERT INTO user_history
                        VALUES ('ada', 2, 3, NULL, NULL, 2, 'slow', NULL, pg_current_xact_id()::text::bigint)
                        """,
                    ]
                )
            }
            // Later ones, which end before, move every counter on.
            for number in 0..<5 { _ = try await one.save(StoreFixture.write("other \(number)")) }
            try await other.look()
            #expect(
                try other.cachedAccess(of: StoreFixture.id("ada"), atLeast: 0)
                    == .current(UserAccess(level: .signedInUser))
            )
            try await slow.run { connection throws(PostgresError) in
                _ = try connection.run("COMMIT")
            }
            slow.close()
            try await other.look()
            #expect(try await grant(other, "ada") == .current(UserAccess(level: Self.level)))
        }
    }

    @Test func `without snapshots, a look forgets all`() async throws {
        try await PostgresFixture.with { fixture in
            let one = try await fixture.open(usesSnapshots: false)
            let other = try await fixture.open(usesSnapshots: false)
            _ = try await one.save(StoreFixture.write("ada"))
            _ = try await grant(other, "ada")
            _ = try await one.save(StoreFixture.write("ada", Self.level))
            try await other.look()
            #expect(try await grant(other, "ada") == .current(UserAccess(level: Self.level)))
            one.close()
            other.close()
        }
    }

    @Test func `what was replaced lately is still told where the database is away, and only if that is wanted`()
        async throws
    {
        let ada = try StoreFixture.id("ada")
        for keeps in [false, true] {
            let cache = UserLevelCache(capacity: 10, lease: .seconds(60), keepsFormer: keeps)
            cache.confirm(asOf: .now)
            guard case .mustLoad(let ticket) = cache.find(ada) else { throw PostgresError.late }
            cache.remember(UserAccess(level: Self.level), version: 3, of: ada, ticket: ticket)
            cache.note(.users([ada]))
            guard case .mustLoad = cache.find(ada) else { throw PostgresError.late }
            let former = cache.findLate(ada, within: .seconds(60))
            let isFormer = if case .known(UserAccess(level: Self.level)) = former { true } else { false }
            #expect(isFormer == keeps)
            // A read that began before is not remembered.
            cache.remember(nil, version: 2, of: ada, ticket: ticket)
            guard case .mustLoad = cache.find(ada) else { throw PostgresError.late }
            // In no time at all, nothing is late.
            try await Task.sleep(for: .milliseconds(20))
            guard case .mustLoad = cache.findLate(ada, within: .milliseconds(1)) else { throw PostgresError.late }
        }
    }

    // MARK: Versions

    @Test func `what is written here is read there by its version, at once`() async throws {
        try await withReplicas(3) { _, stores in
            let levels = AuthorizationLevel.allCases
            for round in 1...200 {
                let (writer, reader) = (stores[round % 3], stores[(round + 1) % 3])
                // Remembers what will be out of date.
                _ = try await grant(reader, "ada")
                let write = try StoreFixture.write("ada", levels[round % levels.count], until: Int64(round))
                let saved = try await writer.save(write)
                #expect(
                    try await grant(reader, "ada", atLeast: saved.state.version)
                        == .current(UserAccess(level: write.level))
                )
            }
            #expect(try await grant(stores[0], "ada", atLeast: 201) == .behind(version: 200))
            #expect(try await grant(stores[0], "nobody", atLeast: 1) == .behind(version: 0))
            let removal = UserStateRemoval(
                id: try StoreFixture.id("ada"),
                time: .init(millisecondsSinceEpoch: 9),
                author: "t"
            )
            #expect(try await stores[1].remove(removal))
            #expect(try await grant(stores[0], "ada", atLeast: 201) == .current(nil))
            #expect(try await grant(stores[0], "ada", atLeast: 202) == .behind(version: 201))
        }
    }

    // MARK: Writes

    @Test func `writers of one user in three replicas lose no update`() async throws {
        try await withReplicas(3) { _, stores in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...90 {
                    group.addTask {
                        let write = try StoreFixture.write("ada", until: Int64(number))
                        return try await stores[number % 3].save(write).state.version
                    }
                }
                let versions = try await group.reduce(into: [Int]()) { $0.append($1) }
                #expect(versions.sorted() == Array(1...90))
            }
            let history = try await stores[0].history(of: StoreFixture.id("ada"))
            #expect(history.map(\.version) == Array(1...90))
        }
    }

    @Test func `conflicts that only a repetition solves are repeated`() async throws {
        try await PostgresFixture.with(isSerializable: true) { fixture in
            var stores: [PostgresStore] = []
            for _ in 0..<3 { stores.append(try await fixture.open()) }
            let all = stores
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...60 {
                    group.addTask {
                        _ = try await all[number % 3]
                            .save(StoreFixture.write("user \(number % 4)", until: Int64(number)))
                    }
                }
                try await group.waitForAll()
            }
            var count = 0
            for number in 0..<4 { count += try await all[0].history(of: StoreFixture.id("user \(number)")).count }
            #expect(count == 60)
            #expect(all.reduce(0) { $0 + $1.counts.repeated } > 0)
            for store in all { store.close() }
        }
    }

    @Test func `a request under one key changes once, in whichever replicas it comes`() async throws {
        try await withReplicas(3) { _, stores in
            let request = KeyedRequest(
                caller: "token a",
                method: "POST",
                path: "/v1/users/ada",
                key: "k",
                digest: [UInt8](repeating: 7, count: KeyedRequest.digestByteCount),
                user: try StoreFixture.id("ada"),
                time: Timestamp(millisecondsSinceEpoch: 1)
            )
            let plain = try StoreFixture.write("ada")
            let made = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let write = UserStateWrite(
                            id: plain.id,
                            level: plain.level,
                            time: plain.terms.time,
                            author: "test",
                            storing: ResponseStoring(request) { saved in
                                StoredResponse(digest: request.digest, status: 201, tag: nil, body: [1])
                            }
                        )
                        return (try? await stores[number % 3].save(write)) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(made == 1)
            #expect(try await stores[0].history(of: plain.id).count == 1)
        }
    }

    @Test func `a continuation is bound and granted once across replicas`() async throws {
        try await withReplicas(3) { _, stores in
            let id = ContinuationID.random()
            let (end, now) = (Timestamp(millisecondsSinceEpoch: 1000), Timestamp(millisecondsSinceEpoch: 1))
            let standings = try await withThrowingTaskGroup(of: RedemptionState.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await stores[number % 3]
                            .bind(id, to: StoreFixture.id("user \(number)"), until: end, at: now)
                    }
                }
                return try await group.reduce(into: [RedemptionState]()) { $0.append($1) }
            }
            #expect(standings.count { $0 == .open } == 1 && standings.count { $0 == .otherUser } == 49)
            let grants = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 { group.addTask { try await stores[number % 3].spend(id) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(grants == 1)
        }
    }

    // MARK: Commits that break off

    private func transaction(_ store: PostgresStore, _ name: String) throws -> WriteTransaction {
        WriteTransaction(
            rules: DatabaseWriter.Rules(
                limits: UserHistoryLimits(),
                secrets: store.secrets,
                hasSnapshots: true,
                clock: .author,
                order: ChangeOrderLog()
            ),
            changes: [StoreChange.save([try StoreFixture.write(name)]).map { _ in { @Sendable in } }]
        )
    }

    @Test func `a commit whose answer was lost is found, and one that never came to it is fenced off`() async throws {
        try await withReplicas(1) { fixture, stores in
            let store = stores[0]
            func reader() throws -> DatabaseReader {
                DatabaseReader(
                    "test",
                    location: try fixture.location,
                    health: DatabaseHealth(),
                    timeout: PostgresFixture.patient.read
                )
            }
            let (first, second) = (try reader(), try reader())
            let done = try transaction(store, "ada")
            try await first.run { connection throws(PostgresError) in
                try done.commit(try done.prepare(connection), connection: connection)
            }
            let isFound = try await second.run { connection throws(PostgresError) in
                try done.wasCommitted(connection)
            }
            #expect(isFound)
            let open = try transaction(store, "bob")
            try await first.run { connection throws(PostgresError) in
                _ = try open.prepare(connection)
            }
            // The answer waits for it, until the server ends what stands still.
            let isOpen = try await second.run { connection throws(PostgresError) in
                try open.wasCommitted(connection)
            }
            #expect(!isOpen)
            // Asked again, as after an answer that was lost, too.
            first.close()
            let third = try reader()
            let isThere = try await third.run { connection throws(PostgresError) in
                try open.wasCommitted(connection)
            }
            #expect(!isThere)
            #expect(try await store.state(of: StoreFixture.id("bob")) == nil)
            // A transaction that is looked up late cannot be committed any more.
            await #expect(throws: PostgresError.self) {
                try await third.run(isRepeatable: false) { connection throws(PostgresError) in
                    _ = try open.prepare(connection)
                }
            }
            second.close()
            third.close()
        }
    }

    @Test func `a connection that the server ends is made anew, and no write is lost or doubled`() async throws {
        try await withReplicas(1) { fixture, stores in
            let store = stores[0]
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<20 {
                        try await fixture.run(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_class ON relation = pg_class.oid
                            WHERE relname = 'commit_mark' AND pid <> pg_backend_pid()
                                AND relnamespace = current_schema()::regnamespace
                            """
                        )
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                for writer in 0..<8 {
                    group.addTask {
                        for number in 1...40 {
                            let write = try StoreFixture.write("user \(writer)", until: Int64(number))
                            #expect(try await store.save(write).state.version == number)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for writer in 0..<8 {
                let history = try await store.history(of: StoreFixture.id("user \(writer)"))
                #expect(history.map(\.version) == Array(1...40))
            }
        }
    }
}
