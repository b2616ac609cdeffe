import Foundation
import Testing
import WaymarkTestSupport

/// Tests of whose the files are that root's commands make in the folder of a service's user.
@Suite struct OwnerProcessTests {
    /// The user of the service.
    private static let user: UInt32 = 54_321

    private func owner(_ path: String) throws -> UInt32 {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return status.st_uid
    }

    @Test(.enabled(if: geteuid() == 0))
    func `all that root makes belongs to the owner of its folder, and what it restores to the owner of the former`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let place = folder + "/service"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            try #require(chown(place, Self.user, Self.user) == 0)
            let options = ["--database", place + "/states.sqlite"]
            let environment = ["WAYMARK_AUDIT_PATH": place + "/audit.log"]
            func run(_ arguments: String...) async throws {
                let outcome = try await Waymark.run(arguments + options, environment: environment, in: folder)
                #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
                #expect(!outcome.errors.contains("another owner"), "\(outcome.errors)")
            }
            try await run("token", "create", "--role", "admin", "--create", "--output", place + "/first-token")
            try await run("user", "set", "ada", "premiumUser")
            let server = try await ServerProcess.start(database: place + "/states.sqlite")
            server.terminate()
            #expect(try await server.exitCode() == 0)
            try await run("backup", place + "/copy.sqlite")
            try await run("backup", "--into", place + "/backups", "--keep", "3")
            try await run("restore", place + "/copy.sqlite", "--tokens", "keep")
            try await run("user", "get", "ada")
            let made = try #require(FileManager.default.enumerator(atPath: place)).compactMap { $0 as? String }
            for name in [
                "states.sqlite", "states.sqlite.lock", "states.sqlite.key", "states.sqlite.catalog", "audit.log",
                "first-token", "backups",
            ] {
                #expect(made.contains(name), "\(made)")
            }
            for name in made { #expect(try owner(place + "/" + name) == Self.user, "\(name)") }
            // In a folder of root's, a service's file: the former owner's, all the same.
            let file = folder + "/other.sqlite"
            #expect(
                try await Waymark.run(["restore", place + "/copy.sqlite", "--tokens", "keep", "--database", file]).code
                    == 0
            )
            #expect(try owner(file) == 0)
            try #require(chown(file, Self.user, Self.user) == 0)
            #expect(
                try await Waymark.run(["restore", place + "/copy.sqlite", "--tokens", "keep", "--database", file]).code
                    == 0
            )
            #expect(try owner(file) == Self.user)
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a database of another user is named with its owner and its mode`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            #expect(
                try await Waymark.run(["user", "set", "ada", "none", "--create", "--database", database]).code == 0
            )
            try #require(chmod(folder, 0o777) == 0)
            let drop = ["/usr/bin/setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"]
            let outcome = try await Waymark.run(
                ["user", "get", "ada", "--database", database],
                in: "/",
                through: drop
            )
            #expect(outcome.code == 69, "\(outcome.output)")
            #expect(
                outcome.errors.contains("it belongs to root, with the mode 0600, and this process is \(Self.user)'s"),
                "\(outcome.errors)"
            )
        }
    }
}
