import Foundation
import Testing
import WaymarkTestSupport

@Suite struct EndUserOptionsTests {
    private static let token = ["--jwt-issuer", "https://id.example", "--jwt-audience", "waymark"]

    /// Flags that make no sense together, and what is said of them.
    private static let cases: [(flags: [String], message: String)] = [
        (
            ["--jwt-issuer", "https://id.example"],
            """
            jwt.issuer is set and jwt.audience is not, so end users' tokens could not be verified; set it by \
            --jwt-audience, WAYMARK_JWT_AUDIENCE or jwt.audience in the settings file Config/service.yaml.
            """
        ),
        (
            ["--jwt-keys", "keys.json", "--jwt-audience", "waymark"],
            """
            jwt.keys is set and jwt.issuer is not, so end users' tokens could not be verified; set it by \
            --jwt-issuer, WAYMARK_JWT_ISSUER or jwt.issuer in the settings file Config/service.yaml.
            """
        ),
        (
            token,
            """
            jwt.issuer is set, but no keys verify end users' tokens; set a file by --jwt-keys, \
            WAYMARK_JWT_KEYS or jwt.keys in the settings file Config/service.yaml, or a URL by --jwt-jwks-url, WAYMARK_JWT_JWKS_URL or \
            jwt.jwksURL in the settings file Config/service.yaml.
            """
        ),
        (
            token + ["--jwt-keys", "keys.json", "--jwt-jwks-url", "https://id.example/jwks.json"],
            "jwt.keys and jwt.jwksURL are both set; the keys of end users' tokens come from one of them."
        ),
        (
            token + ["--jwt-jwks-url", "http://id.example/jwks.json"],
            """
            the keys of end users' tokens cannot be fetched from that URL: it is not https, which keys are fetched by \
            from any host but a loopback address; set another by --jwt-jwks-url, WAYMARK_JWT_JWKS_URL or jwt.jwksURL \
            in the settings file Config/service.yaml.
            """
        ),
        (
            token + ["--jwt-keys", "keys.json", "--jwt-refresh-interval", "9"],
            """
            jwt.refreshInterval is `9`; set a number of seconds from 10 to 86400 by --jwt-refresh-interval, \
            WAYMARK_JWT_REFRESH_INTERVAL or jwt.refreshInterval in the settings file Config/service.yaml.
            """
        ),
    ]

    @Test(arguments: cases)
    func `settings that do not fit together say what is missing`(_ flags: [String], _ message: String) async throws {
        let outcome = try await Waymark.run(["serve", "--port", "0"] + flags)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `settings come from the environment and the file too`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/service.yaml"
            try "jwt: { issuer: i, jwksURL: https://id.example/jwks.json, refreshInterval: 60 }"
                .write(toFile: file, atomically: true, encoding: .utf8)
            let command = ["catalog", "check", "--config", file]
            let part = try await Waymark.run(command)
            #expect(part.code == 64 && part.errors.contains("jwt.jwksURL is set and jwt.audience is not"))
            #expect(try await Waymark.run(command, environment: ["WAYMARK_JWT_AUDIENCE": "a"]).code == 0)
            let environment = ["WAYMARK_JWT_AUDIENCE": "a", "WAYMARK_JWT_JWKS_URL": "https://user@id.example/"]
            let other = try await Waymark.run(command, environment: environment)
            #expect(other.code == 64 && other.errors.contains("it holds a user name, a password or a fragment"))
        }
    }
}
