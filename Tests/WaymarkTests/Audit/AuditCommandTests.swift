import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the audit log that commands and servers write, and of the command that reads it.
@Suite struct AuditCommandTests {
    /// Runs a body with a function that runs commands on a database and an audit log of their own.
    private func withLog(
        _ body: (_ folder: String, _ run: ([String]) async throws -> Waymark.Outcome) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await body(folder) { arguments in
                try await Waymark.run(
                    arguments,
                    environment: [
                        "WAYMARK_AUDIT_PATH": folder + "/audit.log", "WAYMARK_DATABASE": folder + "/waymark.sqlite",
                        "SUDO_USER": "mia",
                    ]
                )
            }
        }
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The kinds of change of lines for people.
    private func actions(_ outcome: Waymark.Outcome) -> [String] {
        outcome.output.split(separator: "\n").compactMap { $0.firstMatch(of: /[a-z-]+\.[a-z-]+(?=  |$)/) }
            .map { String($0.0) }
    }

    @Test func `every command that changes the database adds a line, and reading adds none`() async throws {
        try await withLog { folder, run in
            let users =
                #"{"id":"ada","authorizationLevel":"premiumUser"}"# + "\n"
                + #"{"id":"bob","authorizationLevel":"none"}"#
            try users.write(toFile: folder + "/users.ndjson", atomically: true, encoding: .utf8)
            let token = try await run(["token", "create", "--role", "admin", "--note", "ci", "--create"])
            let id = try #require(token.output.firstMatch(of: /wm_([0-9a-z]{12})_/)).1
            for command in [
                ["user", "set", "ada", "signedInUser"], ["user", "set", "ada", "signedInUser"], ["user", "list"],
                ["user", "import", folder + "/users.ndjson"], ["user", "delete", "bob"],
                ["user", "rename-level", "premiumUser", "paying"], ["token", "list"],
                ["token", "revoke", String(id)], ["token", "revoke", String(id)],
                ["user", "delete", "ada", "--erase-history"], ["user", "delete", "carl"],
            ] { _ = try await run(command) }
            let all = try await run(["audit"])
            #expect(
                actions(all) == [
                    "token.create", "user.set", "user.set", "user.set", "user.delete", "user.rename-level",
                    "token.revoke", "user.erase",
                ],
                "\(all.output)\(all.errors)"
            )
            #expect(
                all.output.split(separator: "\n")
                    .allSatisfy { $0.contains("  command line ") && $0.contains(" (mia)  ") }
            )
            let log = try text(folder + "/audit.log")
            #expect(!log.contains("ada") && !log.contains("bob") && !log.contains(token.output))
        }
    }

    @Test func `a server that does not get as far as to listen has loaded no catalog`() async throws {
        try await withLog { folder, run in
            let files = ["--tls-certificate", folder + "/none.pem", "--tls-key", folder + "/none.key"]
            let outcome = try await run(["serve", "--port", "0"] + files)
            #expect(outcome.code == 69 && outcome.errors.contains("none.pem"), "\(outcome.errors)")
            #expect(try text(folder + "/audit.log").isEmpty)
        }
    }

    @Test func `changes are found by author, user and time`() async throws {
        try await withLog { folder, run in
            for user in ["ada", "bob"] {
                #expect(try await run(["user", "set", user, "signedInUser", "--create"]).code == 0)
            }
            #expect(try await run(["user", "set", "ada", "premiumUser"]).code == 0)
            let ada = try await run(["audit", "--user", "ada"])
            #expect(ada.code == 0 && ada.output.contains("  ada  signedInUser → premiumUser\n"), "\(ada.output)")
            #expect(actions(ada).count == 2 && !ada.output.contains("bob"))
            #expect(try await actions(run(["audit", "--by", "mia"])).count == 3)
            #expect(try await actions(run(["audit", "--by", "command line", "--since", "1h"])).count == 3)
            #expect(try await actions(run(["audit", "--by", "nobody"])).isEmpty)
            #expect(try await actions(run(["audit", "--until", "2026-01-01"])).isEmpty)
            #expect(try await run(["audit", "--since", "yesterday"]).code == 64)
            let other = ["--database", folder + "/other.sqlite"]
            #expect(try await run(["token", "create", "--role", "admin", "--create"] + other).code == 0)
            let unknown = try await run(["audit", folder + "/audit.log", "--format", "json"] + other)
            #expect(unknown.errors.contains("knows none of these users"))
            let json = try await run(["audit", "--user", "bob", "--format", "json"])
            let line = try #require(json.output.split(separator: "\n").first)
            #expect(line.hasSuffix(#","id":"bob"}"#) && line.hasPrefix(#"{"audit":"user.set","time":""#))
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
    }

    @Test func `an author is found as tokens and histories have it, and one who isn't there is an error`() async throws
    {
        try await TemporaryFolder.with { folder in
            func line(_ action: String, _ second: Int, _ author: String) -> String {
                let time = "2026-11-23T08:00:0\(second).000Z"
                return #"{"audit":"\#(action)","time":"\#(time)","by":{\#(author)},"before":null,"after":null}"# + "\n"
            }
            let made = ["token", "create", "--role", "admin", "--create", "--database", folder + "/other.sqlite"]
            let token = try await Waymark.run(made).output.trimmingCharacters(in: .newlines)
            let id = String(try #require(token.firstMatch(of: /wm_([0-9a-z]{12})_/)).1)
            let person = #""kind":"person","id":"f81d4fae","name":"mia (ops)""#
            let leaked = #""kind":"token","id":"\#(id)","name":"billing""#
            for (name, lines) in [
                "one.log": line("token.create", 1, person) + line("token.revoke", 4, person),
                "two.log": line("user.grant", 2, leaked) + line("user.revoke", 3, leaked),
                "raw.log": "waymark-1  | " + line("user.set", 1, leaked),
            ] { try lines.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8) }
            func audit(_ arguments: String...) async throws -> Waymark.Outcome {
                try await Waymark.run(["audit"] + arguments + ["--database", folder + "/none.sqlite"])
            }
            let (one, two) = (folder + "/one.log", folder + "/two.log")
            let all = try await audit(two, one)
            #expect(actions(all) == ["token.create", "user.grant", "user.revoke", "token.revoke"])
            #expect(all.errors.contains("none.sqlite does not exist"))
            for author in [id, "token \(id)", "billing", "token", token] {
                #expect(
                    try await actions(audit(one, two, "--by", author)) == ["user.grant", "user.revoke"],
                    "\(author)"
                )
            }
            for author in ["f81d4fae", "mia (ops)", "person mia (ops) (f81d4fae)"] {
                #expect(
                    try await actions(audit(one, two, "--by", author)) == ["token.create", "token.revoke"],
                    "\(author)"
                )
            }
            let nobody = try await audit(one, two, "--by", "Billing")
            #expect(nobody.code == 1 && nobody.errors.contains("no change by `Billing`"))
            let raw = try await audit(folder + "/raw.log")
            #expect(raw.code == 0 && raw.output.isEmpty && raw.errors.contains("something stands before it"))
        }
    }

    @Test func `after an erasure the log leads to nobody, and is not rewritten`() async throws {
        try await withLog { folder, run in
            for level in ["signedInUser", "premiumUser"] {
                #expect(try await run(["user", "set", "ada", level, "--create"]).code == 0)
            }
            let before = try text(folder + "/audit.log")
            #expect(try await run(["user", "delete", "ada", "--erase-history"]).code == 0)
            let gone = try await run(["audit", "--user", "ada"])
            #expect(gone.code == 1 && gone.output.isEmpty && gone.errors.contains("the user was erased"))
            #expect(try text(folder + "/audit.log").hasPrefix(before))
            let all = try await run(["audit"])
            #expect(actions(all) == ["user.set", "user.set", "user.erase"] && !all.output.contains("ada"))
            let name = try #require(before.firstMatch(of: /"user":"(u-[0-9a-z]+)"/)).1
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasPrefix("waymark") {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
                #expect(bytes.range(of: Data("\(name)".utf8)) == nil, "\(file)")
            }
            // A user who comes back has another name.
            #expect(try await run(["user", "set", "ada", "none"]).code == 0)
            #expect(try await actions(run(["audit", "--user", "ada"])) == ["user.set"])
        }
    }

    @Test func `renamed files, standard input and foreign lines are read`() async throws {
        try await withLog { folder, run in
            let log = folder + "/audit.log"
            for number in [2, 1, 0] {
                #expect(try await run(["user", "set", "user-\(number)", "none", "--create"]).code == 0)
                if number > 0 { try FileManager.default.moveItem(atPath: log, toPath: "\(log).\(number)") }
            }
            let all = try await run(["audit"])
            #expect(all.output.matches(of: /user-\d/).map { String($0.0) } == ["user-2", "user-1", "user-0"])
            let mixed =
                "info: Listening\n" + (try text(log))
                + "{\"audit\":\"user.set\",\"time\":\"torn\n{\"message\":\"request\"}\n"
            let read = try await Waymark.run(["audit", "-", "--database", folder + "/none.sqlite"], input: mixed)
            #expect(read.code == 0 && actions(read) == ["user.set"] && read.output.contains("  u-"))
            #expect(read.errors.contains("a line is damaged"))
            let unnamed = try await Waymark.run(["audit", "--user", "ada", "-", "--database", folder + "/none.sqlite"])
            #expect(unnamed.code == 69)
            #expect(try await Waymark.run(["audit", "--database", folder + "/none.sqlite"]).code == 64)
        }
    }

    @Test func `a log that cannot be opened prevents the change`() async throws {
        try await TemporaryFolder.with { folder in
            let environment = ["WAYMARK_AUDIT_PATH": folder, "WAYMARK_DATABASE": folder + "/waymark.sqlite"]
            for command in [
                ["user", "set", "ada", "none", "--create"], ["token", "create", "--role", "admin", "--create"],
            ] {
                let refused = try await Waymark.run(command, environment: environment)
                #expect(refused.code == 69 && refused.errors.contains("cannot write the audit log"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/waymark.sqlite"))
            // A leaked token ends all the same.
            let off = environment.merging(["WAYMARK_AUDIT_PATH": "none"]) { $1 }
            let token = try await Waymark.run(["token", "create", "--role", "admin", "--create"], environment: off)
            let leaked = token.output.trimmingCharacters(in: .newlines)
            let revoked = try await Waymark.run(["token", "revoke", leaked], environment: environment)
            #expect(revoked.code == 0 && revoked.errors.contains("has no line"), "\(revoked.errors)")
            let server = try await Waymark.run(
                ["serve", "--port", "0"],
                environment: environment,
                through: Waymark.bounded
            )
            #expect(server.code == 69)
        }
    }

    @Test func `a server and commands beside it write one log, and without a file the server its standard error`()
        async throws
    {
        try await withLog { folder, run in
            let log = folder + "/audit.log"
            let database = folder + "/waymark.sqlite"
            for options in [["--audit-path", log], [], ["--audit-path", "none"]] {
                let server = try await ServerProcess.start(database: database, options: options)
                let body = #"{"authorizationLevel":"\#(options.isEmpty ? "premiumUser" : "signedInUser")"}"#
                _ = try await server.request("POST", "/v1/users/ada", body: body)
                server.terminate()
                #expect(try await server.exitCode() == 0)
                for _ in 0..<300 where !server.logged.contains("Stopped") {
                    try await Task.sleep(for: .milliseconds(100))
                }
                let lines = server.logged.split(separator: "\n").filter { $0.hasPrefix("{\"audit\":\"") }
                #expect(lines.count == (options.isEmpty ? 2 : 0), "\(server.logged)")
            }
            #expect(try await run(["user", "set", "ada", "none"]).code == 0)
            let read = try await run(["audit"])
            #expect(actions(read) == ["catalog.load", "user.set", "user.set"], "\(read.output)")
            #expect(read.output.contains("  anyone  user.set  ada  nothing → signedInUser  from 127.0.0.1  request "))
        }
    }
}
