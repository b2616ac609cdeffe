import DeepLinkCore
import DeepLinkStorage
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of files whose levels are stored by rank, as the schema before names had them.
@Suite struct LevelNameMigrationTests {
    /// The columns of an old row that its checksum covers, in their order; the last one only if there is a value.
    private static func checksum(_ table: String, _ values: [DatabaseValue]) -> Int64 {
        var checksum = RowChecksum(table: table)
        for (index, value) in values.enumerated() where index < values.count - 1 || !value.isNull {
            value.add(to: &checksum)
        }
        return checksum.value
    }

    /// Makes a file of the schema before names, with users at every rank: every third grant has an end, and every sixth
    /// names the level after it.
    private func makeOldFile(_ path: String, users count: Int) async throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "6 monitors")
        try await queue.write { database in
            for number in 0..<count {
                let (id, rank) = ("user-\(number)", Int64(number % 4))
                let end: Int64? = number.isMultiple(of: 3) ? 1000 : nil
                let after: Int64? = number.isMultiple(of: 6) ? rank / 2 : nil
                let asOf: Int64? = number.isMultiple(of: 5) ? 7 : nil
                let row = [id.databaseValue, rank.databaseValue, end.databaseValue, after.databaseValue]
                let state = row + [1.databaseValue, 9.databaseValue, asOf.databaseValue]
                try database.cachedStatement(
                    sql: """
                        INSERT INTO user_state
                            (id, level, valid_until, level_after, version, updated_at, as_of, checksum)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """
                )
                .execute(arguments: StatementArguments(state + [Self.checksum("user_state", state).databaseValue]))
                let change =
                    [id.databaseValue, 1.databaseValue, rank.databaseValue, end.databaseValue, after.databaseValue]
                    + [9.databaseValue, "test".databaseValue, asOf.databaseValue]
                try database.cachedStatement(
                    sql: """
                        INSERT INTO user_history
                            (user_id, version, level, valid_until, level_after, at, author, as_of, checksum)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """
                )
                .execute(arguments: StatementArguments(change + [Self.checksum("user_history", change).databaseValue]))
            }
        }
        try queue.close()
    }

    /// The grant that a rank means in a file of before.
    private func grant(_ number: Int) -> LevelAssignment? {
        let rank = UInt8(number % 4)
        return LevelAssignment(
            level: AuthorizationLevel(rank: rank),
            validUntil: number.isMultiple(of: 3) ? Timestamp(millisecondsSinceEpoch: 1000) : nil,
            levelAfter: number.isMultiple(of: 6) ? AuthorizationLevel(rank: rank / 2) : nil
        )
    }

    @Test func `ranks become names, with the level after an end, and checksums go on`() async throws {
        let count = Effort.part(of: 1_000_000)
        try await StoreFixture.with { fixture in
            try await makeOldFile(fixture.path, users: count)
            let store = try fixture.offline()
            let upgrade = try #require(store.upgrade)
            print("\(count) users and their history are named in \(upgrade.seconds) s")
            #expect(upgrade.from == 6 && upgrade.to == Schema.migrator.migrations.count)
            for number in [0, 1, 2, 3, 5, 6, 9, 10, 15, count - 1] {
                let id = try StoreFixture.id("user-\(number)")
                let state = try #require(try store.state(of: id))
                #expect(state.level == grant(number), "\(number)")
                #expect(state.asOf == Timestamp(millisecondsSinceEpoch: number.isMultiple(of: 5) ? 7 : 9))
                #expect(try store.changes(of: id).map(\.level) == [state.level])
            }
            let counts = try await store.levelCounts(at: Timestamp(millisecondsSinceEpoch: 0))
            #expect(counts.total == count && counts[.premiumUser] == (count - 3 + 3) / 4)
            // Sequences go on behind those of before.
            _ = try await store.save(StoreFixture.write("user-1", .premiumUser))
            try store.close()
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.read { database in
                #expect(try Int.fetchOne(database, sql: "SELECT max(sequence) FROM user_history") == count + 1)
                let all = try UserStateRecord.states(after: nil, limit: .max, database)
                #expect(all.count == count)
                try UserHistoryRecord.visit(database)
            }
            try queue.close()
        }
    }

    @Test func `rows that are damaged or written by hand stay so`() async throws {
        try await StoreFixture.with { fixture in
            try await makeOldFile(fixture.path, users: 6)
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        DROP TRIGGER user_state_by_hand;
                        UPDATE user_state SET level = 3 WHERE id = 'user-1';
                        UPDATE user_state SET checksum = NULL, level = 2 WHERE id = 'user-5';
                        """
                )
            }
            try queue.close()
            let store = try fixture.offline()
            #expect(throws: (any Error).self) { try store.state(of: StoreFixture.id("user-1")) }
            #expect(try store.state(of: StoreFixture.id("user-5"))?.level.level == .signedInUser)
            try store.close()
        }
    }
}
