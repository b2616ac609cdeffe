import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of what names a database, and of what only looks like it: no file is made of a mistyped URI.
@Suite struct DatabaseLocationTests {
    /// Texts that are mistakes, and what is said of them.
    private static let mistakes: [(text: String, message: String)] = [
        ("postgre://db/x", "did you mean `postgres://`?"), ("Postgres://u:hunter2@db/x", "did you mean `postgres://`?"),
        ("POSTGRESQL://db/x", "did you mean `postgresql://`?"), ("postgres:/db/x", "did you mean `postgres://`?"),
        ("postgres:db", "did you mean `postgres://`?"), ("mysql://u:hunter2@db/x", "did you mean `postgres://`?"),
        ("jdbc:postgresql://db/x", "did you mean `postgres://`?"), ("https://db/x", "did you mean `postgres://`?"),
        ("sqlite:///var/lib/w.sqlite", "did you mean one such as `var/waymark.sqlite`?"),
        ("sqlite:w.sqlite", "a SQLite file is named by its path alone"),
        ("file:///var/lib/w.sqlite", "a SQLite file is named by its path alone"),
        ("file:w.sqlite?mode=ro", "a SQLite file is named by its path alone"),
        ("host=db dbname=x", "did you mean `postgres://user@host:port/name`?"),
        ("dbname=x password=hunter2", "did you mean `postgres://user@host:port/name`?"),
    ]

    @Test(arguments: mistakes)
    func `a text that is meant to be a URI is refused, with what was meant and no password`(
        _ text: String,
        _ message: String
    ) {
        let error = #expect(throws: CommandError.self) { try DatabaseLocation(text) }
        #expect(error?.code == .usage)
        #expect(error?.message?.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.message?.contains("--database, WAYMARK_DATABASE or database in the settings file") == true)
        #expect(error?.message?.contains("hunter2") == false)
    }

    @Test(arguments: [
        "var/waymark.sqlite", "/var/lib/w.sqlite", "w", "a=b", "a:b.sqlite", "./sqlite:w", "./host=db", "host",
        "über:x",
        ":/x", "a b.sqlite", "hostess=db", "C:w.sqlite",
    ])
    func `any other text is the name of a file`(_ text: String) throws {
        guard case .file(let path) = try DatabaseLocation(text) else {
            Issue.record("\(text) is no file")
            return
        }
        #expect(path == text)
    }

    @Test(arguments: [
        "postgre://db/x", "Postgres://db/x", "mysql://db/x", "host=db dbname=x", "sqlite:///var/w.sqlite",
    ])
    func `no file is made of one, by a server or a command`(_ text: String) async throws {
        try await TemporaryFolder.with { folder in
            let catalog = ["--catalog", Checkout.path("Config/routes.yaml"), "--port", "0"]
            for arguments in [["serve"] + catalog, ["token", "create", "--role", "admin", "--create"]] {
                let outcome = try await Waymark.run(
                    arguments + ["--database", text],
                    in: folder,
                    through: Waymark.bounded
                )
                #expect(outcome.code == 64, "\(outcome.errors)")
                #expect(outcome.errors.contains("did you mean"), "\(outcome.errors)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            }
        }
    }

    @Test func `a folder is told to be one`() async throws {
        try await TemporaryFolder.with { folder in
            let outcome = try await Waymark.run(["user", "list", "--database", folder])
            #expect(outcome.code == 69)
            #expect(outcome.errors.contains("is a folder. Name a file in it"), "\(outcome.errors)")
        }
    }
}
