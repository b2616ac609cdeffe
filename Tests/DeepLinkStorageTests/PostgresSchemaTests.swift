import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of how a PostgreSQL database is opened, and of its schema.
@Suite(PostgresFixture.isThere) struct PostgresSchemaTests {
    @Test func `ten replicas that start together make one schema and share its keys`() async throws {
        try await PostgresFixture.with { fixture in
            let stores = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
                for _ in 0..<10 { group.addTask { try await fixture.open() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let version = Int64(Migrations.version)
            #expect(try await fixture.number("SELECT version FROM waymark_schema") == version)
            #expect(try await fixture.number("SELECT count(*) FROM waymark_schema") == 1)
            var keys: Set<[UInt8]> = []
            for store in stores { keys.insert(try #require(try await store.continuationKeys().first)) }
            #expect(keys.count == 1 && keys.first?.count == DatabaseSecrets.byteCount)
            #expect(Set(stores.map(\.secrets.erasureKey)).count == 1)
            for store in stores { store.close() }
        }
    }

    @Test func `an older schema is brought up to date, with what it holds`() async throws {
        try await PostgresFixture.with { fixture in
            try await PostgresFixture.with(fixture.uri) { connection throws(PostgresError) in
                _ = try Migrations.run(connection, upTo: 1)
            }
            #expect(try await fixture.number("SELECT version FROM waymark_schema") == 1)
            try await fixture.run(
                "INSERT INTO user_state VALUES ('ada', 3, NULL, NULL, 4, 9, 9)",
                "INSERT INTO user_history VALUES ('ada', 4, 3, NULL, NULL, 9, 'test', NULL, 1)"
            )
            let store = try await fixture.open(.offline(creating: false))
            #expect(store.upgrade?.from == 1 && store.upgrade?.to == Migrations.version)
            let next = try await fixture.open()
            #expect(next.upgrade == nil)
            next.close()
            let ada = try StoreFixture.id("ada")
            #expect(try await store.state(of: ada)?.level.level == .premiumUser)
            #expect(try await store.save(StoreFixture.write("ada")).state.version == 5)
            store.close()
        }
    }

    @Test func `replicas of the version before go on reading and writing beside names`() async throws {
        try await PostgresFixture.with { fixture in
            try await PostgresFixture.with(fixture.uri) { connection throws(PostgresError) in
                _ = try Migrations.run(connection, upTo: 2)
            }
            let count = Effort.part(of: 1_000_000)
            try await fixture.run(
                """
                INSERT INTO user_state SELECT 'u' || n, n % 4, CASE WHEN n % 3 = 0 THEN 1000 END, NULL, 1, 1, 1
                FROM generate_series(1, \(count)) AS n
                """,
                """
                INSERT INTO user_history SELECT 'u' || n, 1, n % 4, NULL, NULL, 1, 'test', NULL, 1
                FROM generate_series(1, \(count)) AS n
                """
            )
            let store = try await fixture.open(.offline(creating: false))
            let upgrade = try #require(store.upgrade)
            print("\(count) users and their history of PostgreSQL are upgraded in \(upgrade.seconds) s")
            let user = try StoreFixture.id("u3")
            let end = Timestamp(millisecondsSinceEpoch: 1000)
            #expect(try await store.state(of: user)?.level == LevelAssignment(level: .premiumUser, validUntil: end))
            #expect(try await store.history(of: user, after: 0, limit: 9).first?.level?.level == .premiumUser)
            #expect(try await store.levelCounts(at: Timestamp(millisecondsSinceEpoch: 0)).total == count)
            // A write is read by rank, too.
            _ = try await store.save(StoreFixture.write("u3", .signedInUser))
            #expect(try await fixture.number("SELECT level FROM user_state WHERE id = 'u3'") == 2)
            // A write of the version before replaces the name, whatever it was.
            for rank in [3, 0] {
                try await fixture.run(
                    "UPDATE user_state SET level = \(rank), version = version + 1 WHERE id = 'u3'",
                    "INSERT INTO user_history SELECT 'u3', version, level, NULL, NULL, 5, 'old', NULL, 1 "
                        + "FROM user_state WHERE id = 'u3'"
                )
                let name: LevelName = rank == 3 ? .premiumUser : .none
                #expect(try await store.state(of: user)?.level.level == name)
                #expect(try await store.history(of: user, after: 0, limit: 9).last?.level?.level == name)
            }
            let own = try #require(LevelName("verified"))
            let grant = LevelAssignment(of: own, validUntil: nil, levelAfter: nil)
            let time = Timestamp(millisecondsSinceEpoch: 9)
            _ = try await store.save(UserStateWrite(id: user, level: grant, time: time, author: "test"))
            #expect(try await store.state(of: user)?.level == grant)
            // To a replica of the version before, a name of a catalog's own is the lowest level.
            #expect(try await fixture.number("SELECT level FROM user_state WHERE id = 'u3'") == 0)
            try await fixture.run("UPDATE user_state SET level = 0, version = version + 1 WHERE id = 'u3'")
            #expect(try await store.state(of: user)?.level.level == LevelName.none)
            store.close()
        }
    }

    @Test func `replicas of the version before leave grants, and write levels of users who had none`() async throws {
        try await PostgresFixture.with { fixture in
            try await PostgresFixture.with(fixture.uri) { connection throws(PostgresError) in
                _ = try Migrations.run(connection, upTo: 3)
            }
            let count = Effort.part(of: 1_000_000)
            try await fixture.run(
                """
                INSERT INTO user_state (id, level, version, updated_at, as_of, level_name, named_version, named_level)
                SELECT 'u' || n, 3, 1, 1, 1, 'premiumUser', 1, 3 FROM generate_series(1, \(count)) AS n
                """,
                """
                INSERT INTO user_history (user_id, version, level, level_name, at, author, transaction_id)
                SELECT 'u' || n, 1, 3, 'premiumUser', 1, 'test', 1 FROM generate_series(1, \(count)) AS n
                """
            )
            let store = try await fixture.open(.offline(creating: false))
            let upgrade = try #require(store.upgrade)
            print("\(count) users and their history of PostgreSQL get grants in \(upgrade.seconds) s")
            let (user, ada) = (try StoreFixture.id("u1"), try StoreFixture.id("ada"))
            let pro = try #require(GrantName("pro"))
            let time = Timestamp(millisecondsSinceEpoch: 9)
            for id in [user, ada] {
                _ = try await store.save(
                    GrantWrite(id: id, name: pro, change: .hold(until: nil), time: time, author: "test")
                )
            }
            #expect(try await store.state(of: ada)?.access.level == nil)
            // As the version before writes a level.
            for (id, rank, name) in [("u1", 0, "none"), ("ada", 2, "signedInUser")] {
                try await fixture.run(
                    """
                    UPDATE user_state SET level = \(rank), level_name = '\(name)', version = version + 1, updated_at = 20,
                        as_of = 20, named_version = version + 1, named_level = \(rank) WHERE id = '\(id)'
                    """,
                    """
                    INSERT INTO user_history (user_id, version, level, level_name, at, author, transaction_id)
                    SELECT id, version, level, level_name, 20, 'old', 1 FROM user_state WHERE id = '\(id)'
                    """
                )
            }
            let after = try #require(try await store.state(of: user))
            #expect(after.level.level == LevelName.none && after.access.grants == [GrantAssignment(pro)])
            let written = try #require(try await store.state(of: ada))
            #expect(written.access.level?.level == .signedInUser && written.access.grants == [GrantAssignment(pro)])
            #expect(written.asOf == Timestamp(millisecondsSinceEpoch: 20))
            #expect(try await store.history(of: ada, after: 0, limit: 9).map { $0.access?.grants.count } == [1, 0])
            let counts = try await store.accessCounts(at: time)
            #expect(counts.groups.values.reduce(0, +) == count + 1)
            store.close()
        }
    }

    @Test func `while the key of continuations is replaced, both are there, the one that signs first`() async throws {
        try await PostgresFixture.with { fixture in
            func keys() async throws -> [[UInt8]] {
                let store = try await fixture.open()
                defer { store.close() }
                #expect(store.upgrade == nil)
                return try await store.continuationKeys()
            }
            let old = try #require(try await keys().first)
            // As the page of operations says.
            let new = [UInt8](repeating: 0xAB, count: 32)
            let digits = String(repeating: "ab", count: 32)
            try await fixture.run(
                "INSERT INTO stored_secret (name, value) VALUES ('continuations second', '\\x\(digits)')"
            )
            #expect(try await keys() == [old, new])
            try await fixture.run(
                """
                UPDATE stored_secret one SET value = other.value FROM stored_secret other WHERE one.name <> other.name \
                AND one.name LIKE 'continuations%' AND other.name LIKE 'continuations%'
                """
            )
            #expect(try await keys() == [new, old])
            try await fixture.run("DELETE FROM stored_secret WHERE name = 'continuations second'")
            #expect(try await keys() == [new])
        }
    }

    @Test func `a newer schema is refused, and no schema is made unasked`() async throws {
        try await PostgresFixture.with { fixture in
            await #expect(throws: PostgresError.self) { try await fixture.open(.offline(creating: false)) }
            try await fixture.open().close()
            try await fixture.run("UPDATE waymark_schema SET version = 99")
            do {
                try await fixture.open().close()
                Issue.record("opened")
            } catch let error as PostgresError {
                guard case .newerSchema = error else { throw error }
            }
        }
    }

    @Test func `a role that may only read and write rows is enough where the schema is there`() async throws {
        try await PostgresFixture.with { fixture in
            try await fixture.open().close()
            let role = "role_" + String(UInt64.random(in: .min ... .max), radix: 36)
            try await fixture.run(
                "CREATE ROLE \(role) LOGIN",
                "DO $$ BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' || current_schema() || ' TO \(role)'; "
                    + "EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ' || current_schema() || ' TO \(role)';"
                    + " END $$"
            )
            // libpq takes the last user of several.
            let service = PostgresFixture(uri: fixture.uri + "&user=\(role)")
            let store = try await service.open()
            #expect(try await store.save(StoreFixture.write("ada")).isNew)
            #expect(
                try await store.remove(
                    UserStateRemoval(id: StoreFixture.id("ada"), time: .epoch, author: "t", isErasure: true)
                )
            )
            store.close()
            await #expect(throws: PostgresError.self) { try await service.run("CREATE TABLE more (id integer)") }
            try await fixture.run("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    @Test func `a commit is on disk, whatever the server's defaults are`() async throws {
        try await PostgresFixture.with { fixture in
            try await fixture.open().close()
            let careless = fixture.uri.replacing("options=", with: "options=-csynchronous_commit%3Doff%20")
            let mode = try await PostgresFixture.with(careless) { connection throws(PostgresError) in
                let before = try connection.run("SHOW synchronous_commit")[0].text(0)
                let transaction = WriteTransaction(
                    rules: DatabaseWriter.Rules(
                        limits: UserHistoryLimits(),
                        secrets: DatabaseSecrets(erasureKey: []),
                        hasSnapshots: true,
                        clock: .author,
                        order: ChangeOrderLog()
                    ),
                    changes: []
                )
                _ = try transaction.prepare(connection)
                return [
                    before,
                    try connection.run("SHOW synchronous_commit")[0].text(0),
                ]
            }
            #expect(mode == ["off", "on"])
        }
    }

    @Test func `a server that is not there is said so, without the password`() async throws {
        let location = try #require(try PostgresLocation("postgres://waymark:hunter2@127.0.0.1:1/none"))
        #expect(location.hasPassword)
        #expect(location.description == "postgres://waymark@127.0.0.1:1/none")
        do {
            try await PostgresStore(location).close()
            Issue.record("opened")
        } catch let error as PostgresError {
            #expect(error.isLoss && !"\(error)".contains("hunter2"))
        }
        #expect(throws: PostgresError.self) { try PostgresLocation("postgres://a:hunter2@[") }
        #expect(try PostgresLocation("var/waymark.sqlite") == nil)
        #expect(try PostgresLocation("postgres:") == nil)
    }
}

extension Timestamp {
    /// The beginning of 1970.
    fileprivate static let epoch = Timestamp(millisecondsSinceEpoch: 0)
}
