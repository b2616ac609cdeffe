import Foundation
import Testing
import WaymarkTestSupport

/// Pastes the README's sessions into a shell and compares what is printed.
@Suite struct ReadmeTests {
    private struct Step {
        let section: String
        let command: String
        var output = ""
    }

    /// Sections whose commands build on one another, and so are run in order, each on a server of its own.
    private static let sessions = ["Callers", "Reloading the catalog"]

    private func readme() throws -> String { String(decoding: try Checkout.bytes("README.md"), as: UTF8.self) }

    /// The commands of all `console` blocks, with the output shown below each.
    private func steps() throws -> [Step] {
        var steps: [Step] = []
        for section in try readme().components(separatedBy: "\n## ") {
            let name = String(section.prefix { $0 != "\n" })
            for block in section.components(separatedBy: "```console\n").dropFirst() {
                for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
                    if line.hasPrefix("$ ") {
                        steps.append(Step(section: name, command: String(line.dropFirst(2))))
                    } else if let last = steps.indices.last {
                        steps[last].output += line + "\n"
                    }
                }
            }
        }
        return steps
    }

    /// Runs a command in a shell, and returns what it prints, errors included.
    ///
    /// What a command assigns to variables is there for the next one of the same folder.
    private func run(_ command: String, in folder: String, _ environment: [String: String] = [:]) async throws -> String
    {
        try await RawConnection.offPool {
            let process = Waymark.process([], environment)
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = ["-c", "set -a; touch .session; . ./.session; \(command); export -p >.session"]
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    @Test func `the README shows what the server prints`() async throws {
        let steps = try steps().filter { $0.command.hasPrefix("curl") && !Self.sessions.contains($0.section) }
        #expect(steps.count >= 5)
        try await TemporaryFolder.with { folder in
            try await ServerProcess.with { server in
                for step in steps {
                    let command = step.command.replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
                    let output = try await run(command, in: folder)
                    #expect(comparable(output) == comparable(step.output), "\(step.command)")
                }
            }
        }
    }

    @Test(arguments: sessions)
    func `a session of the README goes as it shows`(_ section: String) async throws {
        let steps = try steps().filter { $0.section == section }
        #expect(steps.count >= 4)
        try await TemporaryFolder.with { folder in
            let (catalog, database) = (folder + "/Config/routes.yaml", folder + "/states.sqlite")
            try FileManager.default.createDirectory(atPath: folder + "/Config", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Checkout.path("Config/routes.yaml"), toPath: catalog)
            let server = try await ServerProcess.start(database: database, catalog: catalog)
            let binaries = URL(fileURLWithPath: Waymark.path).deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let environment = ["WAYMARK_DATABASE": database, "PATH": "\(binaries):\(path)"]
            for step in steps {
                let command = step.command.replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
                var output = ""
                // The server follows files and tokens within seconds, and tests share the machine.
                for _ in 0..<(command.hasPrefix("curl") ? 300 : 1) {
                    output = try await run(command, in: folder, environment)
                    if comparable(output) == comparable(step.output) { break }
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(comparable(output) == comparable(step.output), "\(step.command)")
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `the README's pattern finds tokens`() async throws {
        let pattern = try #require(try readme().firstMatch(of: /```text\n(wm_.*)\n```/)).1
        try await TemporaryFolder.with { folder in
            let made = try await Waymark.run(["token", "create", "--role", "admin"], in: folder)
            #expect(try Regex(String(pattern)).wholeMatch(in: made.output.trimmingCharacters(in: .newlines)) != nil)
        }
    }

    @Test func `the README shows what the commands print`() async throws {
        let steps = try steps().filter { !Self.sessions.contains($0.section) }
        var count = 0
        try await TemporaryFolder.with { folder in
            for step in steps {
                if step.command.hasPrefix("cat ") {
                    let file = folder + "/" + step.command.dropFirst(4)
                    try step.output.write(toFile: file, atomically: true, encoding: .utf8)
                } else if step.command.hasPrefix("waymark ") {
                    let catalog = ["--catalog", Checkout.path("Config/routes.yaml")]
                    let words = step.command.split(separator: " ").dropFirst()
                        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
                    let arguments = words.contains("catalog") ? words : words + catalog
                    // The catalog that shows what an issue looks like is not shown itself.
                    guard !words.contains("broken.yaml") else { continue }
                    let outcome = try await Waymark.run(arguments, in: folder)
                    #expect(outcome.output + outcome.errors == step.output, "\(step.command)")
                    count += 1
                }
            }
        }
        #expect(count >= 3)
    }

    /// A text without what differs each time: moments, whose length may differ, signed tokens, and ids of tokens.
    private func comparable(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "(time)")
            .replacing(/\x20{2,}/, with: "  ")
            .replacing(/"continuation":"[^"]+"/, with: "\"continuation\":\"…\"")
            .replacing(/(^|token revoke |"by":"token )[0-9a-z]{12}/.anchorsMatchLineEndings()) { "\($0.1)(id)" }
            .trimmingCharacters(in: .newlines)
    }
}
