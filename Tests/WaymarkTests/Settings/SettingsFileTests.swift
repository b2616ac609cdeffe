import Foundation
import Testing
import WaymarkTestSupport

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
