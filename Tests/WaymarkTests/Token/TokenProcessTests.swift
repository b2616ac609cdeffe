import Foundation
import Testing
import WaymarkTestSupport

/// Tests that make and take back tokens while a server runs.
@Suite struct TokenProcessTests {
    private static let level = #"{"authorizationLevel":"premiumUser"}"#

    private func create(_ role: String, _ database: String, _ options: [String] = []) async throws -> String {
        let arguments = ["token", "create", "--role", role, "--create", "--database", database] + options
        var made = try await Waymark.run(arguments)
        // A busy machine may let another process hold the file for longer than the command waits.
        for _ in 0..<5 where made.code == 69 { made = try await Waymark.run(arguments) }
        #expect(made.code == 0, "\(made.errors)")
        return made.output.trimmingCharacters(in: .newlines)
    }

    @Test func `a running server follows the tokens, and never opens again`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: database)
            #expect(server.logged.contains("No credentials are configured"))
            #expect(try await server.request("POST", "/v1/users/ada", body: Self.level).status == 201)
            let resolver = try await create("resolver", database, ["--note", "push sender"])
            let admin = try await create("admin", database)
            try await wait(for: "the refusal") { try await server.request("GET", "/v1/users/ada").status == 401 }
            try await wait(for: "the token") {
                try await server.request("GET", "/v1/users/ada", token: admin).status == 200
            }
            #expect(server.logged.contains("Callers need credentials from now on."))
            #expect(try await server.request("GET", "/v1/users/ada", token: resolver).status == 403)
            let link = "/v1/resolve?link=navigation%3A%2Fsettings&user=ada"
            #expect(try await server.request("GET", link, token: resolver).status == 200)
            #expect(try await server.request("GET", "/settings", token: resolver).status == 403)
            let list = try await Waymark.run(["token", "list", "--database", database])
            #expect(list.output.contains("push sender"))
            for secret in [resolver, admin] { #expect(!list.output.contains(secret.suffix(49))) }
            for token in [resolver, admin] {
                let revoked = try await Waymark.run(["token", "revoke", token, "--database", database])
                #expect(revoked.code == 0)
            }
            try await wait(for: "the revocation") {
                try await server.request("GET", "/v1/users/ada", token: admin).status == 401
            }
            #expect(try await server.request("GET", "/v1/users/ada").status == 401)
            #expect(try await server.request("GET", "/healthz").status == 200)
            server.terminate()
            #expect(try await server.exitCode() == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: database))
            for secret in [resolver, admin] { #expect(bytes.range(of: Data(secret.suffix(49).utf8)) == nil) }
            let again = try await ServerProcess.start(database: database)
            #expect(try await again.request("GET", "/v1/users/ada").status == 401)
            try await again.kill()
        }
    }

    @Test func `beyond loopback a server starts once there is a token`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            _ = try await create("resolver", database, ["--expires", "90d"])
            let server = try await ServerProcess.start(database: database, options: ["--host", "0.0.0.0"])
            #expect(try await server.request("GET", "/v1/catalog").status == 401)
            // The host of a web link comes before its caller, and here an address stands for no origin.
            #expect(try await server.request("GET", "/onboarding").status == 421)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test(arguments: [
        (["create"], 64), (["create", "--role", "root"], 64), (["create", "--role", "admin", "--expires", "soon"], 64),
        (["create", "--role", "admin", "--expires", "2020-01-01T00:00:00Z"], 64),
        (["create", "--role", "admin", "--expires", "-5d"], 64), (["revoke", "nonsense"], 64),
        (["revoke", "000000000000"], 1), (["list"], 0),
    ])
    func `what makes no sense is refused, and what is not there is said`(
        _ arguments: [String],
        _ code: Int
    ) async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            _ = try await create("resolver", database)
            let outcome = try await Waymark.run(["token"] + arguments + ["--database", database])
            #expect(Int(outcome.code) == code, "\(outcome.errors)")
            #expect((code == 0) == outcome.errors.isEmpty)
        }
    }

    @Test func `neither tokens nor query values reach the log`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let token = try await create("admin", database)
            let server = try await ServerProcess.start(database: database, options: ["--log-level", "trace"])
            let secrets = ["s3cretvalue", "s3cretuser", "s3cretlink", "s3cretbody", String(token.suffix(49))]
            let targets = [
                "/v1/resolve?link=navigation%3A%2Fsettings%3Fa%3Ds3cretvalue&user=s3cretuser",
                "/settings?b=s3cretvalue",
                "/v1/resolve?link=s3cretlink", "/v1/users?after=s3cretuser", "/v1/nothing?c=s3cretvalue",
                "/%zz?s3cretvalue",
            ]
            for target in targets {
                _ = try await server.request("GET", target, token: token)
                _ = try await server.request("GET", target, token: token + "x")
            }
            let body = #"{"token":"s3cretbody.s3cretbody","user":"s3cretuser"}"#
            #expect(try await server.request("POST", "/v1/continuations", body: body, token: token).status == 400)
            _ = try await server.request("POST", "/v1/resolve", body: "{s3cretbody", token: token)
            _ = try await RawConnection(port: server.port)
                .exchange(Array("GET /?s3cretvalue HTTP/1.1\r\ns3cretvalue\r\n\r\n".utf8))
            server.terminate()
            #expect(try await server.exitCode() == 0)
            #expect(server.logged.contains("trace"))
            for secret in secrets { #expect(!server.logged.contains(secret), "\(secret)") }
        }
    }

    @Test func `a wait for the first token ends when there is one, and leaves no database behind`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let start = ContinuousClock.now
            async let waiting = Waymark.run(["token", "wait", "--database", database])
            try await Task.sleep(for: .seconds(1))
            #expect(!FileManager.default.fileExists(atPath: database))
            _ = try await create("admin", database)
            let outcome = try await waiting
            #expect(ContinuousClock.now - start >= .seconds(1))
            #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
            #expect(outcome.errors.contains("waiting for a token"), "\(outcome.errors)")
            let again = try await Waymark.run(["token", "wait", "--database", database])
            #expect(again.code == 0 && again.errors.isEmpty, "\(again.errors)")
            let wrong = try await Waymark.run(["token", "wait", "--database", "mysql://db/waymark"])
            #expect(wrong.code == 64)
        }
    }
}
