import Foundation
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

@Suite struct VersionTests {
    private struct Document: Decodable {
        struct Info: Decodable {
            let version: String
        }

        let info: Info
    }

    @Test func `the program tells its version`() async throws {
        let outcome = try await Waymark.run(["--version"])
        #expect(outcome.code == 0)
        #expect(outcome.output == Version.text + "\n")
    }

    @Test func `a server tells its version to supervisors and in its log`() async throws {
        try await ServerProcess.with { server in
            let health = try await server.request("GET", "/healthz")
            #expect(health.text == "{\"status\":\"alive\",\"version\":\"\(Version.text)\"}")
            let line = try #require(server.logged.split(separator: "\n").first { $0.contains("Listening on") })
            #expect(line.contains("version=\(Version.text)"))
        }
    }

    @Test func `changelog and API document name the version`() throws {
        let changelog = String(decoding: try Checkout.bytes("CHANGELOG.md"), as: UTF8.self)
        let newest = changelog.split(separator: "\n").first { $0.hasPrefix("## ") && $0 != "## Unreleased" }
        #expect(newest == "## \(Version.text)")
        let bytes = try Checkout.bytes("Sources/Apps/EmbeddedFiles/openapi.json")
        #expect(try JSONDecoder().decode(Document.self, from: Data(bytes)).info.version == Version.text)
    }
}
