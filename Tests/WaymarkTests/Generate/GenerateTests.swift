import Foundation
import Testing
import WaymarkTestSupport

/// Checks `waymark generate` as a process; what it writes is checked beside the writers.
@Suite struct GenerateTests {
    private let catalog = Checkout.path("Config/routes.yaml")

    @Test(arguments: ["swift", "typescript", "kotlin"])
    func `what is written is the same the next time, and what was changed is shown`(_ language: String) async throws {
        try await TemporaryFolder.with { folder in
            let arguments = ["generate", language, catalog, "--output", folder + "/new", "--runtime"]
            let missing = try await Waymark.run(arguments + ["--check"])
            #expect(missing.code == 1)
            #expect(missing.output.contains("--- /dev/null\n"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/new"))

            let written = try await Waymark.run(arguments)
            #expect(written.code == 0)
            let files = written.output.split(separator: "\n").map(String.init)
            #expect(files.count >= 3)
            #expect(try await Waymark.run(arguments + ["--check"]).output.isEmpty)
            #expect(try await Waymark.run(arguments).output.isEmpty)

            let path = try #require(files.first)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let changed = text.replacing("character", with: "charakter", maxReplacements: 1)
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
            let check = try await Waymark.run(arguments + ["--check"])
            #expect(check.code == 1)
            #expect(check.errors.hasPrefix("waymark: 1 of \(files.count) files are not those of the catalog."))
            let lines = check.output.split(separator: "\n")
            #expect(lines.count(where: { $0.hasPrefix("@@ ") }) == 1)
            #expect(lines.count(where: { $0.hasPrefix("-") }) == 2 && lines.count(where: { $0.hasPrefix("+") }) == 2)
            #expect(lines.contains { $0.hasPrefix("-") && $0.contains("charakter") })
            try await patches(check.output, path, to: text)
        }
    }

    @Test func `the code of an app is written by its name in the catalog`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/taxi.yaml"
            let text = """
                version: 1
                origins: [{ scheme: taxi }]
                apps: { rider: { ios: [{ appID: ABCDE12345.a.rider }] }, driver: { ios: [{ appID: ABCDE12345.a.driver }] } }
                entry: { home: root }
                routes: { home: { opens: { ride: push, shift: push } }, ride: { app: rider }, shift: { app: driver } }
                """
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let arguments = ["generate", "swift", file, "--output", folder + "/app", "--app"]
            let outcome = try await Waymark.run(arguments + ["driver"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            let code = try String(contentsOfFile: folder + "/app/AppRoute.swift", encoding: .utf8)
            #expect(code.contains("case shift") && !code.contains("case ride"))
            let refused = try await Waymark.run(arguments + ["courier"])
            #expect(refused.code == 64)
            #expect(refused.errors.contains("`courier` isn't an app of the catalog; there are rider, driver."))
        }
    }

    /// Expects patch(1) to make of a file what the difference says.
    private func patches(_ difference: String, _ path: String, to text: String) async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/patch") else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/patch")
        process.arguments = ["-s", path]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(difference.utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test(arguments: [
        (["--name", "String"], 64, "cannot be the name of the routes' type"),
        (["--name", "appRoute"], 64, "cannot be the name of the routes' type"),
        (["--name", "CharacterParameters"], 64, "cannot be the name of the routes' type"),
        (["--package", "a..b"], 64, "isn't the name of a package"),
        (["--package", "com.class"], 64, "isn't the name of a package"),
        (["--import", "a;b"], 64, "isn't the name of a module"),
        (["--rename", "nothing"], 64, "isn't a renaming"),
        (["--expo"], 64, "--expo is for typescript"),
        (["--expo-tree", "app"], 64, "--expo-tree goes with --expo"),
        (["--navigation3"], 64, "--navigation3 is for kotlin"),
        (["--rename", "settings=a", "--rename", "settings=b"], 64, "is renamed twice"),
        (["--rename", "nowhere=a"], 64, "has no such name to change"),
        (["--rename", "settings=self"], 65, "[reserved-name]"),
        (["--rename", "settings=episodes"], 65, "[name-clash]"),
        (["--rename", "settings=a-b"], 65, "[illegal-name]"),
    ])
    func `what cannot be generated is said, and nothing is written`(
        _ arguments: [String],
        _ code: Int32,
        _ message: String
    ) async throws {
        try await TemporaryFolder.with { folder in
            let all = ["generate", "swift", catalog, "--output", folder + "/new"] + arguments
            let outcome = try await Waymark.run(all)
            #expect(outcome.code == code, "\(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
        }
    }
}
