import Foundation
import GRDB
import Testing
import WaymarkTestSupport

/// Tests of backups that the real binary puts in the database's place.
@Suite struct RestoreProcessTests {
    private struct Fixture {
        let folder: String

        var database: String { folder + "/states.sqlite" }
        var copy: String { folder + "/copy.sqlite" }

        func run(_ arguments: String...) async throws -> Waymark.Outcome {
            try await Waymark.run(arguments + ["--database", database], in: folder)
        }

        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

        func states() async throws -> [String] {
            try await run("token", "list").output.split(separator: "\n").map(String.init)
        }
    }

    /// Makes a database with two tokens and a user, backs it up, revokes a token and changes the user.
    private func withBackup(_ body: (Fixture, _ revoked: String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let fixture = Fixture(folder: folder)
            let made = try await fixture.run("token", "create", "--role", "admin", "--create")
            let revoked = String(made.output.split(separator: "_")[1])
            _ = try await fixture.run("token", "create", "--role", "resolver")
            _ = try await fixture.run("user", "set", "ada", "premiumUser")
            #expect(try await fixture.run("backup", fixture.copy).code == 0)
            #expect(try await fixture.run("token", "revoke", revoked).code == 0)
            _ = try await fixture.run("user", "set", "ada", "none")
            try await body(fixture, revoked)
        }
    }

    @Test func `without a terminal it says which tokens come back, and waits for a decision`() async throws {
        try await withBackup { fixture, revoked in
            let before = try fixture.files()
            let refusal = try await fixture.run("restore", fixture.copy)
            #expect(refusal.code == 64)
            #expect(refusal.errors.contains("revoked since, and valid again: \(revoked)."), "\(refusal.errors)")
            #expect(refusal.errors.contains("--tokens keep"))
            #expect(try fixture.files() == before)
            #expect(try await fixture.run("user", "get", "ada").output.contains("none"))
            #expect(try await fixture.states().count { $0.contains("revoked") } == 1)
        }
    }

    @Test(arguments: [("keep", 0, "2 of them valid"), ("revoke", 2, "0 of them valid")])
    func `tokens are as the decision says`(_ tokens: String, _ revokedCount: Int, _ summary: String) async throws {
        try await withBackup { fixture, _ in
            let outcome = try await fixture.run("restore", fixture.copy, "--tokens", tokens)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("1 user, 2 tokens, \(summary)"), "\(outcome.output)")
            #expect(try await fixture.states().count { $0.contains("revoked") } == revokedCount)
            #expect(try await fixture.run("user", "get", "ada").output.contains("premiumUser"))
            // The former database is kept, and whole.
            let former = try #require(try fixture.files().first { $0.contains(".before-") })
            let kept = try await Waymark.run(["user", "get", "ada", "--database", fixture.folder + "/" + former])
            #expect(kept.output.contains("none"))
            let left = try fixture.files().filter { $0.contains("restoring") || $0.contains("partial") }
            #expect(left.isEmpty)
            // The backup is as it was, and can be restored again.
            #expect(try await Waymark.run(["token", "list", "--database", fixture.copy]).output.contains("no end"))
        }
    }

    @Test func `a database is not restored under a server`() async throws {
        try await withBackup { fixture, _ in
            let server = try await ServerProcess.start(database: fixture.database)
            let refusal = try await fixture.run("restore", fixture.copy, "--tokens", "keep")
            server.terminate()
            #expect(try await server.exitCode() == 0)
            #expect(refusal.code == 69 && refusal.errors.contains("serves the database"), "\(refusal.errors)")
            #expect(try await fixture.run("user", "get", "ada").output.contains("none"))
        }
    }

    @Test func `what is no sound backup is not restored`() async throws {
        try await withBackup { fixture, _ in
            let missing = try await fixture.run("restore", fixture.folder + "/none.sqlite", "--tokens", "keep")
            #expect(missing.code == 69)
            let queue = try DatabaseQueue(path: fixture.copy)
            try await queue.write { database in
                try database.execute(
                    sql: "DROP TRIGGER user_state_by_hand; UPDATE user_state SET level = 'onboardingCompleted'"
                )
            }
            try queue.close()
            let damaged = try await fixture.run("restore", fixture.copy, "--tokens", "keep")
            #expect(damaged.code == 65 && damaged.errors.contains("user_state"), "\(damaged.errors)")
            #expect(try await fixture.run("user", "get", "ada").output.contains("none"))
            #expect(try fixture.files().filter { $0.contains("before") || $0.contains("restoring") }.isEmpty)
        }
    }

    @Test func `where there is no database, there is one afterwards`() async throws {
        try await withBackup { fixture, _ in
            let place = fixture.folder + "/new/states.sqlite"
            let outcome = try await Waymark.run(["restore", fixture.copy, "--tokens", "keep", "--database", place])
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try await Waymark.run(["user", "get", "ada", "--database", place]).output.contains("premiumUser"))
        }
    }
}
