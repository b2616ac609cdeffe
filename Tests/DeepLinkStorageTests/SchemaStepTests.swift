import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres
@testable import DeepLinkSQLite

/// Tests that databases of every step of the schema open, with the rows that its version and those before wrote.
@Suite struct SchemaStepTests {
    @Test(arguments: 1...SchemaStepFile.stepCount)
    func `a file of any step opens, keeps its contents, and goes on`(_ step: Int) async throws {
        try await StoreFixture.with { fixture in
            let file = try SchemaStepFile(fixture.path, upTo: step)
            let log = LogLines()
            let store = try SQLiteStore(path: fixture.path, use: .serving, logger: log.logger)
            #expect(store.upgrade.map(\.from) == (step == SchemaStepFile.stepCount ? nil : step))
            #expect(store.upgrade.map(\.to) ?? SchemaStepFile.stepCount == SchemaStepFile.stepCount)
            #expect(log.text.contains("being upgraded") == (store.upgrade != nil))
            try await file.contents.expect(in: store)
            try store.close()
            // Each row is checked.
            let copy = try DatabaseBackup(of: fixture.path, to: fixture.path + ".copy")
            #expect(copy.changeCount > 8 * step)
            try await StoreFixture.with { new in
                try new.offline().close()
                #expect(try await Self.schema(of: fixture.path) == Self.schema(of: new.path))
            }
        }
    }

    /// Reads the statements that make the tables of a file.
    private static func schema(of path: String) async throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try await queue.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
            )
        }
    }

    @Test(PostgresFixture.isThere, arguments: 1...SchemaStepDatabase.stepCount)
    func `a PostgreSQL database of any step opens, keeps its contents, and goes on`(_ step: Int) async throws {
        try await PostgresFixture.with { fixture in
            let database = try await SchemaStepDatabase(fixture, upTo: step)
            let log = LogLines()
            let store = try await fixture.open(logger: log.logger)
            #expect(store.upgrade.map(\.from) == (step == SchemaStepDatabase.stepCount ? nil : step))
            #expect(log.text.contains("being upgraded") == (store.upgrade != nil), "\(log.text)")
            try await database.contents.expect(in: store)
            store.close()
        }
    }

    @Test(PostgresFixture.isThere)
    func `an upgrade may take longer than anything else at a start`() async throws {
        try await PostgresFixture.with { fixture in
            let last = SchemaStepDatabase.stepCount
            let database = try await SchemaStepDatabase(fixture, upTo: last - 1)
            // Another replica is at it.
            let other = DatabaseReader(
                "other",
                location: try fixture.location,
                health: DatabaseHealth(),
                timeout: PostgresFixture.patient.read
            )
            try await other.run { connection throws(PostgresError) in
                _ = try connection.run(["BEGIN", "SELECT version FROM waymark_schema FOR UPDATE"])
            }
            var timeouts = PostgresFixture.patient
            timeouts.opening = .seconds(2)
            let log = LogLines()
            async let opening = fixture.open(timeouts: timeouts, logger: log.logger)
            try await Task.sleep(for: .seconds(4))
            #expect(log.text.contains("being upgraded"))
            try await other.run { connection throws(PostgresError) in
                _ = try connection.run("COMMIT")
            }
            other.close()
            let store = try await opening
            #expect(store.upgrade?.to == last)
            try await database.contents.expect(in: store)
            store.close()
        }
    }

    @Test(arguments: 1..<SchemaStepFile.stepCount)
    func `a copy of a file is kept before its upgrade, where that is wanted`(_ step: Int) async throws {
        try await StoreFixture.with { fixture in
            let file = try SchemaStepFile(fixture.path, upTo: step)
            let (copy, log) = (fixture.path + ".before-step-\(step + 1)", LogLines())
            for isFirst in [true, false] {
                let store = try SQLiteStore(path: fixture.path, logger: log.logger, copyingBeforeUpgrade: true)
                #expect((store.upgrade != nil) == isFirst)
                try store.close()
            }
            #expect(log.text.contains(copy))
            let names = try FileManager.default.contentsOfDirectory(
                atPath: (copy as NSString).deletingLastPathComponent
            )
            #expect(names.filter { $0.contains(".before-") }.count == 1, "\(names)")
            // The copy is of before.
            let store = try SQLiteStore(path: copy)
            #expect(store.upgrade?.from == step)
            try await file.contents.expect(in: store)
            try store.close()
        }
    }

    @Test func `a copy that exists stays, and without a copy nothing is upgraded`() async throws {
        try await StoreFixture.with { fixture in
            let last = SchemaStepFile.stepCount
            _ = try SchemaStepFile(fixture.path, upTo: last - 1)
            let folder = (fixture.path as NSString).deletingLastPathComponent
            let copy = fixture.path + ".before-step-\(last)"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: copy))
            let before = try await Self.schema(of: fixture.path)
            // No file can have the name of its copy while it is made: it is too long.
            let long = folder + "/" + String(repeating: "n", count: 240)
            try FileManager.default.copyItem(atPath: fixture.path, toPath: long)
            let error = #expect(throws: StoreOpenError.self) {
                try SQLiteStore(path: long, copyingBeforeUpgrade: true)
            }
            #expect(error?.description.contains("--backup-before-upgrade") == true, "\(String(describing: error))")
            #expect(try await Self.schema(of: long) == before)
            let store = try SQLiteStore(path: fixture.path, copyingBeforeUpgrade: true)
            #expect(store.upgrade?.to == last)
            try store.close()
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("mine".utf8))
            let copies = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".before-") }
            #expect(copies.count == 2, "\(copies)")
        }
    }

    @Test func `a command does not upgrade a file beneath a server of an earlier version`() async throws {
        try await StoreFixture.with { fixture in
            let last = SchemaStepFile.stepCount
            _ = try SchemaStepFile(fixture.path, upTo: last - 1)
            let before = try await Self.schema(of: fixture.path)
            let file = DatabaseFile(fixture.path)
            let lock = try ServingLock(file)
            try lock.mark(.serving, of: file)
            let error = #expect(throws: StoreOpenError.self) { try fixture.offline() }
            #expect(error?.description.contains("Restart the server with this version") == true)
            #expect(try await Self.schema(of: fixture.path) == before)
            lock.release(isClean: true)
            let store = try fixture.offline()
            #expect(store.upgrade?.from == last - 1)
            try store.close()
        }
    }
}
