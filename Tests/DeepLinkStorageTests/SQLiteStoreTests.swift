import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@Suite struct SQLiteStoreTests {
    private func save(
        _ text: String,
        _ level: AuthorizationLevel = .signedInUser,
        in store: SQLiteStore
    ) async throws {
        let write = UserStateWrite(
            id: try #require(UserID(text)),
            level: try #require(LevelAssignment(level: level)),
            time: Timestamp(millisecondsSinceEpoch: 1),
            author: "test"
        )
        _ = try await store.save(write)
    }

    @Test func `a state is there when the file is opened again, in a folder that was not there`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/a/b/states.sqlite"
            let store = try SQLiteStore(path: path)
            try await save("alice", in: store)
            try store.close()
            let again = try SQLiteStore(path: path)
            #expect(try again.state(of: #require(UserID("alice")))?.version == 1)
            try again.close()
        }
    }

    @Test func `every commit is synced, whatever the library sets by itself`() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/states.sqlite")
            #expect(try store.synchronousMode() == 2)
            try await save("alice", in: store)
            #expect(try store.synchronousMode() == 2)
            try store.close()
        }
    }

    @Test func `two stores on one file see each other's writes`() async throws {
        try await TemporaryFolder.with { folder in
            let first = try SQLiteStore(path: folder + "/states.sqlite")
            let second = try SQLiteStore(path: folder + "/states.sqlite")
            try await save("alice", in: first)
            try await save("alice", .premiumUser, in: second)
            #expect(try first.state(of: #require(UserID("alice")))?.version == 2)
            try first.close()
            try second.close()
        }
    }

    @Test func `closing moves the write-ahead log into the file`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            let store = try SQLiteStore(path: path)
            try await save("alice", in: store)
            try store.close()
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            #expect((log ?? 0) == 0)
        }
    }

    @Test func `the schema refuses what no state can be`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            try SQLiteStore(path: path).close()
            let queue = try DatabaseQueue(path: path)
            let rows = [
                "('', 'none', NULL, NULL, NULL, 1, 0)", "('a', '4', NULL, NULL, NULL, 1, 0)",
                "('a', 'none', NULL, 'é', NULL, 1, 0)", "('a', 'none', NULL, 'none', 'none', 1, 0)",
                "('a', 'none', NULL, NULL, NULL, 0, 0)", "('a', '', NULL, NULL, NULL, 1, 0)",
                "('a', 'none', 'soon', NULL, NULL, 1, 0)", "(NULL, 'none', NULL, NULL, NULL, 1, 0)",
                "('\(String(repeating: "é", count: 129))', 'none', NULL, NULL, NULL, 1, 0)",
                "('a', 'a\(String(repeating: "b", count: 64))', NULL, NULL, NULL, 1, 0)",
            ]
            let columns = "id, level, valid_until, level_after, implied_level_after, version, updated_at"
            for row in rows {
                #expect(throws: DatabaseError.self, "\(row)") {
                    try queue.write { try $0.execute(sql: "INSERT INTO user_state (\(columns)) VALUES \(row)") }
                }
            }
            try queue.close()
        }
    }

    @Test func `a file of a newer version is refused`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            try SQLiteStore(path: path).close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from the future')") }
            try queue.close()
            let error = #expect(throws: StoreOpenError.self) { try SQLiteStore(path: path) }
            #expect(error?.description.contains("newer version") == true)
        }
    }

    @Test func `a file that is no database is refused, and left as it was`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            let text = Data(String(repeating: "not a database\n", count: 100).utf8)
            try text.write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: StoreOpenError.self) { try SQLiteStore(path: path) }
            #expect(error?.description.contains("damaged or isn't a SQLite file") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
        }
    }

    @Test func `a path that cannot be a file says so`() {
        let error = #expect(throws: StoreOpenError.self) { try SQLiteStore(path: "/proc/nowhere/x.sqlite") }
        #expect(error?.description.contains("--database") == true)
    }
}
