import Foundation
import Testing
import WaymarkTestSupport

/// Tests of what commands print of texts that strangers have written: nothing in it reaches a terminal as it stands.
@Suite struct TerminalProcessTests {
    /// Control characters of each kind that may stand in an argument, with a line that would be forged.
    private static let hostile = "x\u{1B}[31m\u{7F}\u{9B}2J\u{202E}\u{2066}\u{200F}\u{061C}\r\nforged\ty"

    /// The text as it is shown.
    private static let shown =
        #"x\u{1B}[31m\u{7F}\u{009B}2J\u{202E}\u{2066}\u{200F}\u{061C}\r\nforged\ty"#

    /// Runs a command, of whose output no control character but a line feed is raw.
    private func run(_ arguments: [String], in folder: String? = nil, input: String = "") async throws
        -> Waymark.Outcome
    {
        let outcome = try await Waymark.run(arguments, in: folder, input: input)
        for text in [outcome.output, outcome.errors] {
            let raw = text.unicodeScalars.filter { scalar in
                scalar.properties.generalCategory == .control && scalar != "\n"
                    || [0x061C, 0x200E, 0x200F].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value)
            }
            #expect(raw.isEmpty, "\(arguments)")
        }
        return outcome
    }

    @Test func `the note of a token forges no line`() async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/states.sqlite"]
            let made = try await run(
                ["token", "create", "--role", "admin", "--create", "--note", Self.hostile] + database
            )
            #expect(made.code == 0)
            let list = try await run(["token", "list"] + database)
            #expect(list.output.split(separator: "\n").count == 1 && list.output.hasSuffix(Self.shown + "\n"))
            let json = try await run(["token", "list", "--format", "json"] + database)
            let token = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            #expect((token?["note"] as? String)?.utf8.elementsEqual(Self.hostile.utf8) == true)
        }
    }

    @Test func `users whose names turn the writing are listed as they are written`() async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/states.sqlite"]
            let user = "a\u{202E}b"
            #expect(try await run(["user", "set", user, "premiumUser", "--create"] + database).code == 0)
            for command in [["list"], ["get", user], ["list", "--format", "json"], ["export"]] {
                let outcome = try await run(["user"] + command + database)
                #expect(outcome.code == 0 && outcome.output.lowercased().contains("202e"), "\(command)")
            }
            #expect(try await run(["user", "history", user] + database).code == 0)
            #expect(try await run(["user", "get", user + "\u{2067}"] + database).errors.contains(#"\u{2067}"#))
        }
    }

    @Test func `links that are checked or resolved are shown escaped`() async throws {
        try await TemporaryFolder.with { folder in
            let links = "app:///\u{1B}[31m\nnavigation:/onbo\u{202E}arding\nnavigation:/\u{0}\n"
            try Data(links.utf8).write(to: URL(fileURLWithPath: folder + "/links.txt"))
            for format in ["text", "json", "junit"] {
                let outcome = try await run(["check", folder + "/links.txt", "--format", format])
                #expect(outcome.code == 1)
            }
            let text = try await run(["check", folder + "/links.txt"]).output
            #expect(text.contains(#"app:///\u{1B}[31m "#) && text.contains(#"navigation:/\0 "#))
            for link in [
                "navigation:/onboarding?x=\u{202E}", "navigation:/\u{1B}[31m", "navigation:/a%E2%80%AEb#\u{2067}",
            ] {
                for more in [[], ["--explain"], ["--partial"], ["--format", "json"]] {
                    _ = try await run(["resolve", link] + more)
                }
            }
            _ = try await run(["resolve", "--\u{1B}[31m"])
        }
    }

    @Test func `names of catalogs are shown escaped, and forge no line`() async throws {
        let catalog = #"""
            version: 1
            origins: [{ scheme: app }]
            entry: { home: root }
            routes: { home: {}, "b\u202E\u001B[31m\nforged": { pth: "x\u001B" } }
            """#
        try await TemporaryFolder.with { folder in
            let file = folder + "/hostile.yaml"
            try Data(catalog.utf8).write(to: URL(fileURLWithPath: file))
            let text = try await run(["catalog", "check", file])
            #expect(text.code == 65)
            #expect(!text.errors.split(separator: "\n").contains { $0.hasPrefix("forged") })
            let json = try await run(["catalog", "check", file, "--format", "json"])
            #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
        }
    }

    @Test func `a report of two catalogs is shown escaped`() async throws {
        func catalog(_ description: String, _ path: String) -> String {
            #"""
            version: 1
            origins: [{ scheme: app }]
            entry: { home: root }
            routes:
              home: { description: "\#(description)", opens: { item: push } }
              item: { path: "\#(path)" }

            """#
        }
        try await TemporaryFolder.with { folder in
            for (name, text) in [("old", catalog("a", #"b\u202Ec"#)), ("new", catalog(#"\u001B[31m\nx\u2066"#, "d"))] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/\(name).yaml"))
            }
            for format in ["text", "json", "junit", "github", "markdown"] {
                let outcome = try await run(
                    ["catalog", "diff", folder + "/old.yaml", folder + "/new.yaml", "--format", format]
                )
                #expect(outcome.code == 1 && !outcome.output.isEmpty, "\(format): \(outcome.errors)")
            }
            for format in ["text", "json", "dot"] {
                _ = try await run(["catalog", "show", folder + "/old.yaml", "--format", format])
            }
        }
    }
}
