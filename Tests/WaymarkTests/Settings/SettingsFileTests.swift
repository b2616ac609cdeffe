import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of commands with settings that cannot be read, which must never count as none.
@Suite struct SettingsFileTests {
    /// The thing that stands in the place of a settings file.
    enum Kind: String, CaseIterable {
        case latin1, folder, danglingLink, device, doubledKey, emptyValue, accents, aliases
    }

    private func place(_ kind: Kind, at path: String) throws {
        let manager = FileManager.default
        let text: [UInt8]
        switch kind {
        case .latin1:
            text = Array("# propri".utf8) + [0xE9] + Array("t\njwt: { issuer: \"https://id.example\" }\n".utf8)
        case .folder: return try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        case .danglingLink: return try manager.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        // Reading it fails with an input error.
        case .device: return try manager.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
        case .doubledKey: text = Array("http: { port: 1 }\nhttp.port: 2\n".utf8)
        case .emptyValue: text = Array("jwt:\n  keys:\n".utf8)
        case .accents: text = Array("\"a\(String(repeating: "\u{301}\u{323}", count: 100))\": 1\n".utf8)
        case .aliases:
            text = Array(
                "a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: [\(String(repeating: "*b, ", count: 9_000))x]\n".utf8
            )
        }
        try Data(text).write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: Kind.allCases)
    func `a settings file that cannot be used stops the start`(_ kind: Kind) async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder + "/Config", withIntermediateDirectories: true)
            try place(kind, at: folder + "/Config/service.yaml")
            let arguments = ["serve", "--port", "0", "--catalog", Checkout.path("Config/routes.yaml")]
            for named in [["--config", "Config/service.yaml"], []] {
                let outcome = try await Waymark.run(arguments + named, in: folder, through: Waymark.bounded)
                #expect([64, 69].contains(outcome.code), "\(outcome.errors)")
                #expect(outcome.errors.contains("Config/service.yaml"), "\(outcome.errors)")
            }
        }
    }

    @Test func `only a default file that is not there is no file`() async throws {
        try await TemporaryFolder.with { folder in
            let arguments = ["catalog", "check", Checkout.path("Config/routes.yaml")]
            let without = try await Waymark.run(arguments, in: folder)
            #expect(without.code == 0)
            let named = try await Waymark.run(arguments + ["--config", "service.yaml"], in: folder)
            #expect(named.code == 64)
            let variable = ["WAYMARK_CONFIG": "service.yaml"]
            let byVariable = try await Waymark.run(arguments, environment: variable, in: folder)
            #expect(byVariable.code == 64)
        }
    }

    @Test func `of the default files the first that exists counts, before the environment and after it`() async throws {
        try await TemporaryFolder.with { folder in
            func settings(_ names: [String], _ environment: [String: String] = [:]) throws -> Settings {
                let files = names.map { "\(folder)/\($0)" }
                return try Settings(flags: [:], configFile: nil, environment: environment, defaultFiles: files)
            }
            for (name, port) in [("one.yaml", 1), ("two.yaml", 2)] {
                try Data("http: { port: \(port) }\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
            #expect(Settings.defaultFiles == ["/etc/waymark/service.yaml", "Config/service.yaml"])
            #expect(try settings(["one.yaml", "two.yaml"]).port == 1)
            #expect(try settings(["none.yaml", "two.yaml"]).port == 2)
            #expect(try settings(["none.yaml"]).port == 8080)
            #expect(try settings(["none.yaml"]).file == nil)
            let named = try settings(["one.yaml"], ["WAYMARK_CONFIG": folder + "/two.yaml"])
            #expect(named.port == 2)
            #expect(named.overriddenKeys.isEmpty)
            let overridden = try settings(["one.yaml"], ["WAYMARK_HTTP_PORT": "3", "WAYMARK_HTTP_HOST": "::1"])
            #expect(overridden.port == 3)
            #expect(overridden.overriddenKeys == [.port])
            #expect(try settings(["one.yaml"], ["WAYMARK_HTTP_PORT": "1"]).overriddenKeys.isEmpty)
            try Data("http: { port: x }\n".utf8).write(to: URL(fileURLWithPath: folder + "/one.yaml"))
            #expect {
                try settings(["one.yaml"])
            } throws: {
                ($0 as? CommandError)?.message?.hasSuffix("http.port in the settings file \(folder)/one.yaml.") == true
            }
        }
    }

    @Test func `a variable that overrides the file is warned of, by the server and by commands`() async throws {
        try await TemporaryFolder.with { folder in
            let (file, database) = (folder + "/service.yaml", folder + "/states.sqlite")
            try Data("database: postgres://db.example/waymark\n".utf8).write(to: URL(fileURLWithPath: file))
            let environment = ["WAYMARK_CONFIG": file, "WAYMARK_DATABASE": database]
            let warning = "The environment variable `WAYMARK_DATABASE` overrides `database` of \(file)"
            let made = ["token", "create", "--role", "admin", "--create"]
            let outcome = try await Waymark.run(made, environment: environment)
            #expect(outcome.code == 0)
            #expect(outcome.errors.contains("waymark: warning: \(warning)"), "\(outcome.errors)")
            let options = ["serve", "--port", "0", "--catalog", folder + "/none.yaml"]
            #expect(try await Waymark.run(options, environment: environment).errors.contains(warning))
            // A flag is meant.
            let flag = try await Waymark.run(made + ["--database", database], environment: environment)
            #expect(flag.code == 0 && !flag.errors.contains("overrides"), "\(flag.errors)")
        }
    }

    @Test func `a working folder that this user may not enter has no settings file`() async throws {
        let bound =
            geteuid() == 0
            ? [
                "/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search",
                "--inh-caps=-dac_override,-dac_read_search",
            ]
            : []
        try await TemporaryFolder.with { folder in
            let closed = folder + "/home"
            try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: false)
            // The shell is in the folder before nobody may enter it.
            let shell = ["/bin/sh", "-c", #"cd "$0" && chmod 0 . && exec "$@""#, closed] + bound
            let arguments = ["token", "create", "--role", "admin", "--create", "--database", folder + "/states.sqlite"]
            let outcome = try await Waymark.run(arguments, in: folder, through: shell)
            try #require(chmod(closed, 0o700) == 0)
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("WAYMARK_HTTP_PROT", "WAYMARK_HTTP_PORT"), ("WAYMARK_CONFG", "WAYMARK_CONFIG"),
        ("WAYMARK_JWT_KEY", "WAYMARK_JWT_KEYS"), ("WAYMARK_LOGLEVEL", "WAYMARK_LOG_LEVEL"),
    ])
    func `an environment variable close to a setting is refused`(_ name: String, _ meant: String) async throws {
        let outcome = try await Waymark.run(["catalog", "check"], environment: [name: "1"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("`\(name)` isn't a setting; did you mean `\(meant)`?"), "\(outcome.errors)")
    }

    @Test func `any other that begins like a setting is warned of`() async throws {
        let outcome = try await Waymark.run(["catalog", "check"], environment: ["WAYMARK_FOO": "1"])
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("`WAYMARK_FOO` isn't a setting"))
        let serve = try await Waymark.run(
            ["serve", "--port", "0", "--catalog", "nowhere.yaml"],
            environment: ["WAYMARK_FOO": "1"]
        )
        #expect(serve.errors.contains("warning waymark"), "\(serve.errors)")
        #expect(serve.errors.contains("`WAYMARK_FOO` isn't a setting"), "\(serve.errors)")
    }

    @Test func `what orchestrators and tests set passes in silence`() async throws {
        let names = [
            "WAYMARK_SERVICE_HOST", "WAYMARK_SERVICE_PORT", "WAYMARK_SERVICE_PORT_HTTP", "WAYMARK_PORT",
            "WAYMARK_PORT_8080_TCP", "WAYMARK_PORT_8080_TCP_ADDR", "WAYMARK_TEST_FULL", "WAYMARK_BINARY",
        ]
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "tcp://10.0.0.1:80") })
        let outcome = try await Waymark.run(["catalog", "check"], environment: environment)
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test(arguments: ["", "\n", " \r\n\t\n", "\0\0\0\0\n\0\0"])
    func `an import without a line is refused`(_ text: String) async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/a.sqlite"]
            let outcome = try await Waymark.run(["user", "import", "--create"] + database, input: text)
            #expect(outcome.code == 65, "\(outcome.output)")
            #expect(outcome.errors.contains("nothing is imported"), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/a.sqlite"))
        }
    }
}
