import Foundation
import Testing
import WaymarkTestSupport

/// Tests of the metrics that say how much of its limits a server uses.
@Suite struct SaturationTests {
    private struct Missing: Error { let name: String }

    /// Returns the value of a series.
    private func value(_ name: String, of server: ServerProcess, token: String? = nil) async throws -> Double {
        let text = try await server.request("GET", "/metrics", token: token).text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        guard let value = line.flatMap({ Double($0.dropFirst(name.count + 1)) }) else { throw Missing(name: name) }
        return value
    }

    @Test func `requests, connections and their limits are measured`() async throws {
        try await TemporaryFolder.with { folder in
            let options = [
                "--maximum-connections", "7", "--maximum-requests", "5", "--maximum-arriving-megabytes", "3",
            ]
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", options: options)
            #expect(try await value("waymark_http_connections_limit", of: server) == 7)
            #expect(try await value("waymark_http_requests_in_flight_limit", of: server) == 5)
            #expect(try await value("waymark_http_arriving_bytes_limit", of: server) == 3 * 1024 * 1024)
            let idle = (try RawConnection(port: server.port), try RawConnection(port: server.port))
            // The two and the one that asks; those before it may end a moment later.
            var count = 0.0
            for _ in 0..<200 where count != 3 { count = try await value("waymark_http_connections", of: server) }
            #expect(count == 3)
            withExtendedLifetime(idle) {}
            // The request itself.
            #expect(try await value("waymark_http_requests_in_flight", of: server) == 1)
            for limit in ["requests", "bytes", "caller", "credentials", "pages"] {
                #expect(
                    try await value("waymark_http_requests_refused_total{limit=\"\(limit)\"}", of: server) == 0
                )
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `processor time grows, and the parts that work are not degraded`() async throws {
        try await ServerProcess.with { server in
            let before = try await value("process_cpu_seconds_total", of: server)
            for _ in 0..<200 { _ = try await server.request("GET", "/v1/resolve?link=navigation:/onboarding") }
            let after = try await value("process_cpu_seconds_total", of: server)
            #expect(before > 0 && after > before)
            #expect(try await value("waymark_processors", of: server) >= 1)
            #expect(try await value("waymark_ready", of: server) == 1)
            for part in ["writes", "jwt-keys", "catalog", "levels"] {
                #expect(try await value("waymark_degraded{part=\"\(part)\"}", of: server) == 0)
            }
            // There are no end users, so there are no keys to measure.
            await #expect(throws: Missing.self) { try await value("waymark_jwt_keys", of: server) }
        }
    }

    @Test func `keys of end users are counted, and none is a part that fails`() async throws {
        try await TemporaryFolder.with { folder in
            let (database, keys) = (folder + "/states.sqlite", folder + "/keys.json")
            let key = #"{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","kid":"one","x":"\#(Self.publicKey)"}"#
            try #"{"keys":[\#(key)]}"#.write(toFile: keys, atomically: true, encoding: .utf8)
            let made = try await Waymark.run([
                "token", "create", "--role", "monitor", "--create", "--database", database,
            ])
            let token = try #require(made.output.split(separator: "\n").last.map(String.init))
            let jwt = ["--jwt-issuer", "https://id.example", "--jwt-audience", "app"]
            let sound = try await ServerProcess.start(database: database, options: jwt + ["--jwt-keys", keys])
            #expect(try await value("waymark_jwt_keys", of: sound, token: token) == 1)
            #expect(try await value("waymark_jwt_keys_age_seconds", of: sound, token: token) < 60)
            #expect(try await value("waymark_degraded{part=\"jwt-keys\"}", of: sound, token: token) == 0)
            sound.terminate()
            #expect(try await sound.exitCode() == 0)
            // Nobody listens there.
            let url = ["--jwt-jwks-url", "http://127.0.0.1:1/jwks.json"]
            let failing = try await ServerProcess.start(database: database, options: jwt + url)
            #expect(try await value("waymark_jwt_keys", of: failing, token: token) == 0)
            #expect(try await value("waymark_degraded{part=\"jwt-keys\"}", of: failing, token: token) == 1)
            #expect(try await value("waymark_ready", of: failing, token: token) == 1)
            failing.terminate()
            #expect(try await failing.exitCode() == 0)
        }
    }

    /// The key of RFC 8037, appendix A.2.
    private static let publicKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
}
