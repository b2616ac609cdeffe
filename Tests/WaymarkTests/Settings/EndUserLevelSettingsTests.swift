import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of the levels of claims: a mapping in the settings file, pairs elsewhere.
@Suite struct EndUserLevelSettingsTests {
    private func levels(_ file: String, _ environment: [String: String] = [:]) async throws -> String {
        try await TemporaryFolder.with { folder in
            let path = folder + "/service.yaml"
            try file.write(toFile: path, atomically: true, encoding: .utf8)
            let written = try SettingsFile.values(of: path)
            let reader = SettingReader(flags: [:], environment: environment, file: written)
            return String(reflecting: try Settings.endUserLevels(reader))
        }
    }

    private static let jwt = "issuer: i, audience: a, keys: k.json, levelClaim: plan"

    @Test func `a mapping and pairs say the same`() async throws {
        let pairs = try await levels("jwt: { \(Self.jwt) }", ["WAYMARK_JWT_LEVELS": " gold = premiumUser"])
        let mapping = try await levels("jwt: { \(Self.jwt), levels: { gold: premiumUser } }")
        #expect(pairs == mapping)
        #expect(mapping.contains("gold") && mapping.contains("premiumUser"))
    }

    @Test func `a value may have dots, commas and signs in the file`() async throws {
        let text = try await levels(#"jwt: { \#(Self.jwt), levels: { "a.b,c=d": premiumUser } }"#)
        #expect(text.contains("a.b,c=d"))
    }

    @Test func `a setting that takes no mapping gets none`() async throws {
        await #expect(throws: CommandError.self) { try await levels("jwt: { \(Self.jwt), issuer: { a: b } }") }
        await #expect(throws: CommandError.self) { try await levels("jwt: { \(Self.jwt), levels: { a: [b] } }") }
        await #expect(throws: CommandError.self) { try await levels("jwt: { \(Self.jwt), levels: {} }") }
    }

    @Test func `grants of claims have a claim, names of grants, and a catalog that has them`() throws {
        func grants(_ flags: [Setting: String]) throws -> EndUserGrants {
            try Settings.endUserGrants(SettingReader(flags: flags, environment: [:], file: [:]))
        }
        let given = try grants([.jwtGrantsClaim: "roles", .jwtGrants: "plus=pro, a=b=kyc"])
        #expect(given.byWord?["plus"]?.text == "pro" && given.byWord?["a=b"]?.text == "kyc")
        #expect(try grants([.jwtGrantsClaim: "roles"]).byWord == nil)
        for flags in [
            [.jwtGrants: "plus=pro"], [.jwtGrantsClaim: "roles", .jwtGrants: "plus"],
            [.jwtGrantsClaim: "roles", .jwtGrants: "plus=9"],
        ] as [[Setting: String]] {
            #expect(throws: CommandError.self, "\(flags)") { try grants(flags) }
        }
        let known = GrantList(["pro", "kyc"].compactMap(GrantName.init))
        try given.check(in: known)
        for grants in [.none, GrantList(["pro"].compactMap(GrantName.init))] as [GrantList] {
            #expect(throws: CommandError.self) { try given.check(in: grants) }
        }
    }

    @Test func `a section without a line sets nothing`() async throws {
        #expect(try await levels("limits:\ncors:\njwt:\n") == levels("{}"))
        await #expect(throws: CommandError.self) { try await levels("limit:\n") }
        await #expect(throws: CommandError.self) { try await levels("jwt: { levels: }\n") }
    }
}
