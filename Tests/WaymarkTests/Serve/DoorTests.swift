import Foundation
import Testing
import WaymarkTestSupport

/// The settings that say who may come in, how often, and from which pages.
@Suite struct DoorTests {
    private static let link = "/v1/resolve?link=navigation%3A%2Fonboarding"

    private func whileServing(
        _ options: [String],
        _ body: (ServerProcess) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", options: options)
            do { try await body(server) } catch {
                try await server.kill()
                throw error
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a server that lets nobody resolve is not open, on loopback either`() async throws {
        try await whileServing(["--anonymous", "resolve"]) { server in
            for (method, target, status) in [
                ("GET", Self.link, 200), ("GET", "/onboarding", 200), ("GET", Self.link + "&user=ada", 401),
                ("GET", "/v1/users/ada", 401), ("GET", "/v1/catalog", 401), ("GET", "/healthz", 200),
            ] {
                let answer = try await server.request(method, target)
                #expect(answer.status == status, "\(target)")
            }
            #expect(server.logged.contains("Callers without credentials resolve links, as nobody."))
            #expect(!server.logged.contains("open to every process"))
        }
    }

    @Test func `it may listen beyond loopback, and limits each address by itself`() async throws {
        try await whileServing(["--anonymous", "resolve", "--host", "0.0.0.0"]) { server in
            var statuses: [Int: Int] = [:]
            // Faster than 20 a second, whatever the machine: all are sent before the first answer is read.
            let request = "GET \(Self.link) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let last = request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
            let requests = String(repeating: request, count: 400) + last
            let answers = try await RawConnection(port: server.port).exchangeUntilClose(Array(requests.utf8))
            for status in [200, 429] {
                statuses[status] = answers.components(separatedBy: "HTTP/1.1 \(status) ").count - 1
            }
            #expect(statuses[200, default: 0] >= 20 && statuses[429, default: 0] > 0, "\(statuses)")
        }
    }

    @Test func `a limit that is set counts on an open server too, and 0 is none`() async throws {
        for (limit, isLimited) in [("1", true), ("0", false)] {
            try await whileServing(["--limit-per-caller", limit]) { server in
                let request = "GET /v1/users/ada HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let last = request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
                let requests = String(repeating: request, count: 100) + last
                let answers = try await RawConnection(port: server.port).exchangeUntilClose(Array(requests.utf8))
                #expect(answers.contains("HTTP/1.1 429 ") == isLimited)
            }
        }
    }

    @Test func `pages of a listed origin may read answers`() async throws {
        try await whileServing(["--cors-origins", "https://app.example.com, https://b.example"]) { server in
            for origin in ["https://app.example.com", "https://b.example"] {
                let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n\r\n"
                let answer = try await RawConnection(port: server.port).exchange(Array(request.utf8))
                #expect(answer.head.contains("Access-Control-Allow-Origin: \(origin)"))
            }
        }
    }

    /// Flags that make no sense, and what is said of them.
    private static let cases: [(flags: [String], message: String)] = [
        (["--anonymous", "everything"], "anonymous is `everything`; set one of resolve or none by --anonymous"),
        (["--cors-origins", "https://app.example.com/"], "`https://app.example.com/` isn't an origin"),
        (["--cors-origins", "*"], "cors.origins is `*`, without any credentials"),
        (["--limit-per-caller=-1"], "limits.perCaller is `-1`; set a number of requests from 0 to 100000"),
        (["--limit-per-caller", "many"], "limits.perCaller is `many`"),
        (["--jwt-minimum-level", "signedInUser"], "jwt.minimumLevel is set and jwt.issuer is not"),
        (jwt + ["--jwt-minimum-level", "gold"], "jwt.minimumLevel is `gold`; set one of none, onboardingCompleted"),
        (jwt + ["--jwt-level-claim", "plan"], "jwt.levelClaim is set and jwt.levels is not"),
        (jwt + ["--jwt-levels", "a=premiumUser"], "jwt.levels is set and jwt.levelClaim is not"),
        (jwt + ["--jwt-level-claim", "plan", "--jwt-levels", "gold"], "jwt.levels has `gold`, which isn't a pair"),
        (
            jwt + ["--jwt-level-claim", "plan", "--jwt-levels", "gold=admin"],
            "jwt.levels gives `gold` the level `admin`, which there is not"
        ),
    ]

    private static let jwt = ["--jwt-issuer", "i", "--jwt-audience", "a", "--jwt-keys", "keys.json"]

    @Test(arguments: cases)
    func `a door that makes no sense stops the start`(_ flags: [String], _ message: String) async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/states.sqlite"]
            let outcome = try await Waymark.run(["serve", "--port", "0"] + database + flags)
            #expect(outcome.code == 64)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    /// Settings that make no sense, and what is said of them.
    private static let files: [(lines: String, message: String)] = [
        ("jwt: { ISSUER, minimumLevel: gold }", "WAYMARK_JWT_MINIMUM_LEVEL or jwt.minimumLevel in FILE."),
        ("jwt: { ISSUER, levelClaim: plan, levels: gold }", "or a mapping in FILE."),
        ("jwt: { ISSUER, grantsClaim: roles, grants: pro }", "or a mapping in FILE."),
        ("signing: { secrets: SECRET }", "or a mapping in FILE."),
        ("signing: { keys: /nowhere }", "signing.keys in FILE."),
        ("http: { tls: { certificate: /nowhere, key: /nowhere } }", "http.tls.certificate in FILE: "),
        ("resolutionLog: { path: /nowhere/log }", "resolutionLog.path in FILE."),
        ("audit: { path: /nowhere/log }", "audit.path in FILE."),
    ]

    @Test(arguments: files)
    func `what is said of a setting names the file that it may be in`(_ lines: String, _ message: String) async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/service.yaml"
            let text = lines.replacing("ISSUER", with: "issuer: i, audience: a, keys: keys.json")
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let database = ["--database", folder + "/states.sqlite"]
            let outcome = try await Waymark.run(["serve", "--port", "0", "--config", file] + database)
            #expect(outcome.code != 0)
            let expected = message.replacing("FILE", with: "the settings file " + file)
            #expect(outcome.errors.contains(expected), "\(outcome.errors)")
        }
    }
}
