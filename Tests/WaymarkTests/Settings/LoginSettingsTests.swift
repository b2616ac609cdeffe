import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of the settings of logins to the console.
@Suite struct LoginSettingsTests {
    private static let whole = """
        console:
          oidc:
            issuer: https://id.example/realms/staff
            clientID: waymark
            clientSecret: hush
            roleClaim: roles
            roles: { ops=eu: admin, staff: resolver }
        """

    private func settings(_ text: String, _ environment: [String: String] = [:]) async throws -> Settings {
        try await TemporaryFolder.with { folder in
            let path = folder + "/service.yaml"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return try Settings(flags: [:], configFile: path, environment: environment)
        }
    }

    private func message(_ text: String, _ environment: [String: String] = [:]) async -> String {
        do {
            _ = try await settings(text, environment)
            return ""
        } catch {
            return (error as? CommandError)?.message ?? "\(error)"
        }
    }

    @Test func `all of them make a login, and none makes none`() async throws {
        let login = try #require(try await settings(Self.whole).login)
        #expect(login.issuer == "https://id.example/realms/staff")
        #expect(login.clientID == "waymark")
        #expect(login.clientSecret == "hush")
        #expect(try await settings("http: { port: 1 }").login == nil)
        let environment = [
            "WAYMARK_CONSOLE_OIDC_ISSUER": "https://id.example", "WAYMARK_CONSOLE_OIDC_CLIENT_ID": "a",
            "WAYMARK_CONSOLE_OIDC_CLIENT_SECRET": "b", "WAYMARK_CONSOLE_OIDC_ROLE_CLAIM": "c",
            "WAYMARK_CONSOLE_OIDC_ROLES": "d=monitor",
        ]
        #expect(try await settings("", environment).login?.clientSecret == "b")
    }

    @Test(arguments: ["issuer", "clientID", "roleClaim"])
    func `one that is missing is named`(_ name: String) async {
        let lines = Self.whole.split(separator: "\n").filter { !$0.contains(" \(name): ") }
        let said = await message(lines.joined(separator: "\n"))
        #expect(said.contains("console.oidc.\(name) is not, so nobody could log in"), "\(said)")
    }

    @Test func `a secret by itself, or none, keeps no command from its work`() async throws {
        #expect(try await settings("", ["WAYMARK_CONSOLE_OIDC_CLIENT_SECRET": "b"]).login == nil)
        let lines = Self.whole.split(separator: "\n").filter { !$0.contains("clientSecret") }
        #expect(try await settings(lines.joined(separator: "\n")).login?.clientSecret == "")
    }

    @Test(
        arguments: [
            ("https://id.example/realms/staff", "http://id.example", "write the issuer's https URL"),
            ("https://id.example/realms/staff", "https://id.example?a=b", "write the issuer's https URL"),
            ("ops=eu: admin", "ops: root", "gives `ops` the role `root`; people have the roles resolver"),
            ("ops=eu: admin", "ops: granter", "gives `ops` the role `granter`"),
            ("roles: { ops=eu: admin, staff: resolver }", "roles: ops", "has `ops`, which isn't a pair"),
        ]
    )
    func `a setting that makes no sense is named, and the secret never`(
        _ part: String,
        _ other: String,
        _ wanted: String
    ) async {
        let said = await message(Self.whole.replacing(part, with: other))
        #expect(said.contains(wanted), "\(said)")
        #expect(!said.contains("hush"))
    }
}
