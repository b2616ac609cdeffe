import DeepLinkCore
import DeepLinkStorage
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of files and their rows whose schema has no grants yet.
@Suite struct GrantMigrationTests {
    /// Makes a file of the schema before grants, with users, their history and tokens.
    private func makeOldFile(_ path: String, users count: Int) async throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "7 level names")
        try await queue.write { database in
            for number in 0..<count {
                let id = "user-\(number)"
                var state = RowChecksum(table: "user_state")
                state.add(id)
                state.add("premiumUser")
                for _ in 0..<3 { state.add(nil) }
                for number: Int64 in [1, 9] { state.add(number) }
                try database.cachedStatement(
                    sql: """
                        INSERT INTO user_state (id, level, version, updated_at, checksum)
                        VALUES (?, 'premiumUser', 1, 9, ?)
                        """
                )
                .execute(arguments: [id, state.value])
                var change = RowChecksum(table: "user_history")
                change.add(id)
                change.add(1)
                change.add("premiumUser")
                for _ in 0..<3 { change.add(nil) }
                change.add(9)
                change.add("test")
                try database.cachedStatement(
                    sql: """
                        INSERT INTO user_history (user_id, version, level, at, author, checksum)
                        VALUES (?, 1, 'premiumUser', 9, 'test', ?)
                        """
                )
                .execute(arguments: [id, change.value])
            }
            var token = RowChecksum(table: "service_token")
            token.add("o6l91m0txllk")
            let digest = [UInt8](repeating: 7, count: 32)
            digest.withUnsafeBytes { token.add($0) }
            for text in ["monitor", "a note"] { token.add(text) }
            for number: Int64? in [1, nil, nil] { token.add(number) }
            try database.execute(
                sql: """
                    INSERT INTO service_token (id, digest, role, note, created_at, checksum)
                    VALUES ('o6l91m0txllk', x'\(String(repeating: "07", count: 32))', 'monitor', 'a note', 1, ?)
                    """,
                arguments: [token.value]
            )
            try StoredNumber.serviceTokens.set(1, in: database)
        }
        try queue.close()
    }

    @Test func `a file gets grants, and its rows and checksums stay`() async throws {
        let count = Effort.part(of: 1_000_000)
        try await StoreFixture.with { fixture in
            try await makeOldFile(fixture.path, users: count)
            let store = try fixture.offline()
            let upgrade = try #require(store.upgrade)
            print("\(count) users and their history get grants in \(upgrade.seconds) s")
            #expect(upgrade.from == 7 && upgrade.to == Schema.migrator.migrations.count)
            let id = try StoreFixture.id("user-\(count - 1)")
            let before = try #require(try store.state(of: id))
            #expect(before.level.level == .premiumUser && before.access.grants.isEmpty)
            #expect(try store.serviceTokens().map(\.role) == [.monitor])
            let pro = try #require(GrantName("pro"))
            let time = Timestamp(millisecondsSinceEpoch: 10)
            let saved = try await store.save(
                GrantWrite(id: id, name: pro, change: .hold(until: nil), time: time, author: "test")
            )
            #expect(saved.state?.version == 2 && saved.state?.level == before.level)
            #expect(try store.changes(of: id).map { $0.access?.grants.count } == [0, 1])
            try store.close()
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.read { database in
                #expect(try UserStateRecord.states(after: nil, limit: .max, database).count == count)
                try UserHistoryRecord.visit(database)
            }
            try queue.close()
        }
    }

    @Test(
        arguments: [
            "UPDATE user_state SET grants = NULL", "UPDATE user_state SET grants = 'kyc+'",
            "UPDATE user_state SET grants = 'pro@10+ zzz+'",
        ]
    )
    func `grants that damage has changed are found, and those changed by hand count`(_ change: String) async throws {
        try await StoreFixture.with { fixture in
            let (ada, pro) = (try StoreFixture.id("ada"), try #require(GrantName("pro")))
            let time = Timestamp(millisecondsSinceEpoch: 10)
            func edit(_ statements: String) async throws {
                let queue = try DatabaseQueue(path: fixture.path)
                try await queue.write { try $0.execute(sql: statements) }
                try queue.close()
            }
            let store = try fixture.offline()
            _ = try await store.save(
                GrantWrite(id: ada, name: pro, change: .hold(until: nil), time: time, author: "test")
            )
            try store.close()
            // By hand, the checksum goes.
            try await edit(change)
            let edited = try fixture.offline()
            #expect(try await edited.access(of: ada)?.grants.map(\.name) != [pro] || change.contains("pro"))
            _ = try await edited.save(
                GrantWrite(id: ada, name: pro, change: .hold(until: nil), time: time, author: "test")
            )
            _ = try await edited.save(StoreFixture.write("ada", .premiumUser))
            try edited.close()
            // Damage leaves it.
            try await edit("DROP TRIGGER user_state_by_hand; UPDATE user_state SET grants = 'other+'")
            let damaged = try fixture.offline()
            #expect(throws: StoreOpenError.self) { try damaged.access(of: ada) }
            try damaged.close()
        }
    }

    @Test(
        arguments: [
            "UPDATE user_state SET grants = ''", "UPDATE user_state SET grants = 'pro*'",
            "UPDATE user_history SET grants = 'x\"'", "INSERT INTO grant_name VALUES (32, 'pro', 0)",
            "INSERT INTO grant_name VALUES (0, '1pro', 0)",
            """
            INSERT INTO service_token (id, digest, role, note, created_at)
            VALUES ('o6l91m0txllk', zeroblob(32), 'granter', '', 1)
            """,
            """
            INSERT INTO service_token (id, digest, role, note, created_at, grants)
            VALUES ('o6l91m0txllk', zeroblob(32), 'admin', '', 1, 'pro')
            """,
        ]
    )
    func `the schema refuses what no version writes`(_ statement: String) async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            _ = try await store.save(StoreFixture.write("ada"))
            try store.close()
            let queue = try DatabaseQueue(path: fixture.path)
            await #expect(throws: DatabaseError.self) {
                try await queue.write { try $0.execute(sql: statement) }
            }
            try queue.close()
        }
    }
}
