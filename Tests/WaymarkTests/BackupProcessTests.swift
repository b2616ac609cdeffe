import Foundation
import GRDB
import Synchronization
import Testing
import WaymarkTestSupport

/// Tests of copies of the database that the real binary makes.
@Suite struct BackupProcessTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a backup ends under continuous writes, and has all that was acknowledged before`() async throws {
        try await TemporaryFolder.with { folder in
            let (database, copy) = (folder + "/states.sqlite", folder + "/copy.sqlite")
            let server = try await ServerProcess.start(database: database)
            let acknowledged = Mutex<[String]>([])
            let isOver = Mutex(false)
            let writer = Task {
                var number = 0
                while !isOver.withLock(\.self) {
                    number += 1
                    let body = "{\"authorizationLevel\":\"premiumUser\"}"
                    let status = try await server.request("POST", "/v1/users/user-\(number)", body: body).status
                    #expect(status == 201)
                    acknowledged.withLock { $0.append("user-\(number)") }
                }
            }
            while acknowledged.withLock(\.count) < 50 { try await Task.sleep(for: .milliseconds(5)) }
            let before = acknowledged.withLock(\.self)
            let outcome = try await Waymark.run(["backup", copy, "--database", database])
            isOver.withLock { $0 = true }
            try await writer.value
            server.terminate()
            #expect(try await server.exitCode() == 0)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("users") && outcome.output.contains("bytes"))
            #expect(try mode(copy) == 0o600)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("partial") }.isEmpty
            )
            let queue = try DatabaseQueue(path: copy)
            let ids = try await queue.read { try String.fetchSet($0, sql: "SELECT id FROM user_state") }
            try queue.close()
            #expect(ids.isSuperset(of: before))
            let listed = try await Waymark.run(["user", "get", "user-1", "--database", copy])
            #expect(listed.output.contains("premiumUser"))
        }
    }

    @Test func `a backup replaces no file, and none is left of one that fails`() async throws {
        try await TemporaryFolder.with { folder in
            let (database, copy) = (folder + "/states.sqlite", folder + "/copy.sqlite")
            let missing = try await Waymark.run(["backup", copy, "--database", database])
            #expect(missing.code == 69 && missing.errors.contains(database))
            let set = try await Waymark.run(["user", "set", "ada", "premiumUser", "--create", "--database", database])
            #expect(set.code == 0)
            #expect(try await Waymark.run(["backup", copy, "--database", database]).code == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
            let again = try await Waymark.run(["backup", copy, "--database", database])
            #expect(again.code == 69 && again.errors.contains("replaces none"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
            let nowhere = try await Waymark.run(["backup", folder + "/none/copy.sqlite", "--database", database])
            #expect(nowhere.code == 69)
            // A row that damage has changed.
            let queue = try DatabaseQueue(path: database)
            try await queue.write { database in
                try database.execute(
                    sql: "DROP TRIGGER user_state_by_hand; UPDATE user_state SET level = 'onboardingCompleted'"
                )
            }
            try queue.close()
            let damaged = try await Waymark.run(["backup", folder + "/other.sqlite", "--database", database])
            #expect(damaged.code == 65 && damaged.errors.contains("user_state"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("states") }
            #expect(left == ["copy.sqlite"])
        }
    }

    @Test func `damage among the tokens names the database, and no address`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let made = try await Waymark.run(["token", "create", "--role", "admin", "--create", "--database", database])
            #expect(made.code == 0)
            let queue = try DatabaseQueue(path: database)
            try await queue.write { try $0.execute(sql: "UPDATE service_token SET note = 'changed'") }
            try queue.close()
            let outcome = try await Waymark.run(["serve", "--port", "0", "--database", database])
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains("The database \(database) is damaged"))
            #expect(!outcome.errors.contains("--host"))
        }
    }

    @Test(arguments: [".", ".."])
    func `no user is made whom no client can reach, and one who is there can be deleted`(_ id: String) async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let set = try await Waymark.run(["user", "set", id, "premiumUser", "--create", "--database", database])
            #expect(set.code == 64)
            let line = "{\"id\":\"\(id)\",\"authorizationLevel\":\"premiumUser\"}\n"
            let imported = try await Waymark.run(["user", "import", "--create", "--database", database], input: line)
            #expect(imported.code == 65)
            #expect(
                try await Waymark.run(["user", "set", "ada", "none", "--create", "--database", database]).code == 0
            )
            let queue = try DatabaseQueue(path: database)
            try await queue.write { database in
                try database.execute(
                    sql: "INSERT INTO user_state (id, level, version, updated_at) VALUES (?, 'premiumUser', 1, 0)",
                    arguments: [id]
                )
            }
            try queue.close()
            let list = try await Waymark.run(["user", "list", "--database", database])
            #expect(list.output.hasPrefix(id + " ") && list.output.contains("\nada"))
            #expect(try await Waymark.run(["user", "delete", id, "--database", database]).code == 0)
            #expect(try await Waymark.run(["user", "get", id, "--database", database]).code == 1)
        }
    }

    @Test func `backups in a folder have the moment in their names, their keys beside them, and the oldest go`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let (database, copies) = (folder + "/states.sqlite", folder + "/copies")
            let set = try await Waymark.run(["user", "set", "ada", "premiumUser", "--create", "--database", database])
            #expect(set.code == 0)
            try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: database + ".key"))
            func backup(_ options: String...) async throws -> Waymark.Outcome {
                try await Waymark.run(["backup", "--database", database] + options)
            }
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: copies).sorted() }
            #expect(try await backup("--into", copies).code == 0)
            let first = try #require(try names().first)
            #expect(first.wholeMatch(of: /waymark-\d{8}T\d{6}Z\.sqlite/) != nil)
            #expect(try names() == [first, first + ".key"])
            #expect(try mode(copies + "/" + first) == 0o600)
            #expect(try mode(copies + "/" + first + ".key") == 0o600)
            for name in [
                "waymark-20200101T000000Z.sqlite", "waymark-20200101T000000Z.sqlite.key", "waymark-mine.sqlite",
                "notes",
            ] {
                try Data().write(to: URL(fileURLWithPath: "\(copies)/\(name)"))
            }
            // Within a second a name is taken, and no copy is replaced.
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await backup("--into", copies, "--keep", "2").code == 0)
            let kept = try names()
            #expect(kept.count == 6 && kept.contains(first) && kept.contains("waymark-mine.sqlite"), "\(kept)")
            #expect(!kept.contains { $0.contains("20200101") }, "\(kept)")
            for wrong in [[], ["--keep", "1"], [folder + "/a", "--into", copies], ["--into", copies, "--keep", "0"]] {
                #expect(try await Waymark.run(["backup", "--database", database] + wrong).code == 64)
            }
        }
    }
}
