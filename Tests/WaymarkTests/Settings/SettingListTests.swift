import DeepLinkAuthentication
import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of settings that are lists: with commas everywhere, as lists in the settings file.
@Suite struct SettingListTests {
    private func settings(_ file: String, _ environment: [String: String] = [:]) async throws -> Settings {
        try await TemporaryFolder.with { folder in
            let path = folder + "/service.yaml"
            try file.write(toFile: path, atomically: true, encoding: .utf8)
            return try Settings(flags: [:], configFile: path, environment: environment)
        }
    }

    private func message(_ file: String) async -> String {
        do {
            _ = try await settings(file)
            return ""
        } catch {
            return (error as? CommandError)?.message ?? "\(error)"
        }
    }

    @Test(arguments: [
        "cors: { origins: [https://a.example, https://b.example] }",
        "cors:\n  origins:\n    - https://a.example\n    - https://b.example\n",
        "cors: { origins: \"https://a.example,https://b.example\" }",
        "cors.origins: https://a.example https://b.example",
    ])
    func `a list and commas say the same`(_ file: String) async throws {
        #expect(try await settings(file).crossOrigins == ["https://a.example", "https://b.example"])
    }

    @Test func `every setting that takes several takes a list`() async throws {
        let (new, old) = (String(repeating: "A", count: 44), String(repeating: "B", count: 44))
        let settings = try await settings(
            """
            console: { hosts: [a.example, "b.example:8443"] }
            continuation: { key: [\(new), \(old)] }
            jwt: { issuer: [https://a, "https://b,c"], audience: [x y, api://z], keys: k.json }
            """
        )
        #expect(settings.consoleHosts == ["a.example", "b.example:8443"])
        #expect(settings.continuationKeys.map(\.first) == [0x00, 0x04])
        #expect(settings.endUsers?.issuers == ["https://a", "https://b,c"])
        #expect(settings.endUsers?.audiences == ["x y", "api://z"])
        let environment = ["WAYMARK_JWT_ISSUER": " https://a , https://b", "WAYMARK_JWT_AUDIENCE": "x y,api://z,"]
        let other = try await self.settings("jwt: { keys: k.json }", environment)
        #expect(other.endUsers?.issuers == ["https://a", "https://b"])
        #expect(other.endUsers?.audiences == ["x y", "api://z"])
    }

    @Test func `an empty list is none, and nothing but texts is an item`() async throws {
        #expect(try await settings("cors: { origins: [] }\nconsole: { hosts: [] }\n").crossOrigins == [])
        for file in [
            "cors: { origins: [[a]] }", "cors: { origins: [a, ] }\nhttp: { port: [8080] }",
            "cors: { origins: [{ a: b }] }",
            "cors: { origins: [a, ~] }", "log: { level: [info] }",
        ] {
            #expect(await message(file).contains("has no single value"), "\(file)")
        }
    }

    @Test(arguments: [
        ("port: 8080", "did you mean `http.port`?"),
        ("issuer: a", "did you mean `console.oidc.issuer` or `jwt.issuer`?"),
        ("keys: a", "did you mean `signing.keys` or `jwt.keys`?"), ("http: { log: { level: info } }", "`log.level`?"),
        ("level: debug", "did you mean `log.level`?"), ("http: { prot: 1 }", "did you mean `http.port`?"),
        ("server: { port: 1 }", "did you mean `http.port`?"), ("nothing: 1", "there are http.host, http.port,"),
        ("portable: 1", "there are http.host"), ("databas: x", "did you mean `database`?"),
    ])
    func `an unknown setting names those that are near`(_ file: String, _ wanted: String) async {
        let said = await message(file)
        #expect(said.contains(wanted), "\(said)")
    }

    @Test(arguments: ["https://a.example", "a.example/console", "a b:c", "a.example:port", "@", "a?b", "[a"])
    func `a host of the console is a host`(_ text: String) async {
        let file = "console: { hosts: [\"\(text)\"] }"
        let said = await message(file)
        #expect(said.contains("is not a host"), "\(text): \(said)")
    }

    // MARK: Keys that sign links

    private static let secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    private func ids(_ settings: Settings) -> [String]? {
        guard case .settings(let keys)? = settings.signingKeys else { return nil }
        return keys.map(\.id)
    }

    @Test func `the keys that sign links may stand in the settings, in their order`() async throws {
        let written = try await settings("signing: { secrets: { b: \(Self.secret), a: \(Self.secret) } }")
        #expect(ids(written) == ["b", "a"])
        let variable = ["WAYMARK_SIGNING_SECRETS": "b=\(Self.secret), a=\(Self.secret)"]
        #expect(ids(try await settings("{}", variable)) == ["b", "a"])
        #expect(ids(try await settings("{}")) == nil)
    }

    @Test(arguments: [
        ("signing: { secrets: { a: c2hvcnQ= } }", "key 1 needs an `id`"),
        ("signing: { secrets: c2VjcmV0 }", "has a part without `=`"),
        ("signing: { keys: k.json, secrets: { a: c2hvcnQ= } }", "are both set"),
        ("signing: { secrets: \"a=\(secret),a=\(secret)\" }", "two keys have the id `a`"),
    ])
    func `keys that cannot be used are refused, and not repeated`(_ file: String, _ wanted: String) async {
        let said = await message(file)
        #expect(said.contains(wanted), "\(said)")
        for secret in ["c2hvcnQ=", "c2VjcmV0", Self.secret] { #expect(!said.contains(secret)) }
    }
}
