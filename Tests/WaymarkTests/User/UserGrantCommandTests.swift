import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the commands that write grants.
@Suite struct UserGrantCommandTests {
    /// Makes a database that knows the grants `kyc` and `pro`, and runs a body with a function that runs commands on it.
    private func withDatabase(
        _ body: (_ run: ([String]) async throws -> Waymark.Outcome) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/waymark.sqlite"
            let store = try SQLiteStore(path: path)
            try await store.keepGrants(["kyc", "pro"].compactMap(GrantName.init))
            try store.close()
            try await body { try await Waymark.run($0 + ["--database", path]) }
        }
    }

    @Test func `grants are given and taken, beside the level`() async throws {
        try await withDatabase { run in
            let end = "2100-01-01T00:00:00Z"
            let first = try await run(["user", "grant", "ada", "pro", "--valid-until", end])
            #expect(first.code == 0 && first.output == "ada  none  version 1    pro until \(end)\n")
            #expect(try await run(["user", "set", "ada", "premiumUser"]).code == 0)
            #expect(try await run(["user", "grant", "ada", "kyc"]).code == 0)
            let shown = try await run(["user", "get", "ada", "--format", "json"])
            #expect(shown.output.contains(#""grants":{"kyc":{},"pro":{"validUntil":"\#(end)"}}"#))
            #expect(try await run(["user", "list"]).output == "ada  premiumUser  version 3    kyc, pro until \(end)\n")
            #expect(try await run(["user", "revoke", "ada", "pro"]).code == 0)
            let again = try await run(["user", "revoke", "ada", "pro"])
            #expect(again.code == 1 && again.errors.contains("doesn't hold the grant `pro`"))
            let history = try await run(["user", "history", "ada"]).output.split(separator: "\n")
            #expect(history.map { $0.hasSuffix("command line  kyc") } == [false, false, false, true])
        }
    }

    @Test func `a name that the database lacks is refused with those that there are`() async throws {
        try await withDatabase { run in
            let unknown = try await run(["user", "grant", "ada", "plus"])
            #expect(unknown.code == 64 && unknown.errors.contains("`plus` isn't a grant; there are kyc, pro."))
            let token = try await run(["token", "create", "--role", "granter", "--grants", "pro,plus"])
            #expect(token.code == 64 && token.errors.contains("`plus` isn't a grant; there are kyc, pro."))
            #expect(try await run(["token", "list"]).output.isEmpty)
        }
    }

    @Test func `a granter's token names its grants, and no other does`() async throws {
        try await withDatabase { run in
            let made = try await run(["token", "create", "--role", "granter", "--grants", "pro,kyc"])
            #expect(made.code == 0)
            let list = try await run(["token", "list"])
            #expect(list.output.contains("  granter pro kyc  created "))
            for arguments in [
                ["--role", "granter"], ["--role", "granter", "--grants", ""],
                ["--role", "granter", "--grants", "pro,pro"],
                ["--role", "granter", "--grants", "1"], ["--role", "admin", "--grants", "pro"],
            ] {
                let refused = try await run(["token", "create"] + arguments)
                #expect(refused.code == 64, "\(arguments)")
            }
        }
    }

    @Test func `what is exported can be imported, with grants`() async throws {
        try await withDatabase { run in
            for name in ["kyc", "pro"] { _ = try await run(["user", "grant", "ada", name]) }
            _ = try await run(["user", "set", "ben", "signedInUser"])
            let exported = try await run(["user", "export"]).output
            try await TemporaryFolder.with { folder in
                let file = folder + "/users.ndjson"
                try exported.write(toFile: file, atomically: true, encoding: .utf8)
                _ = try await run(["user", "revoke", "ada", "pro"])
                _ = try await run(["user", "grant", "ben", "pro"])
                #expect(try await run(["user", "import", file]).code == 0)
            }
            let list = try await run(["user", "list"]).output
            #expect(list.contains("ada  none          version 4    kyc, pro\n"))
            // A line without grants leaves them.
            #expect(list.contains("ben  signedInUser  version 2    pro\n"))
        }
    }
}
