import Foundation
import Testing
import WaymarkTestSupport

/// Tests of files of keys of a running server: who may read them, and how a key is replaced.
@Suite struct KeyFileTests {
    private static let signed = """
        version: 1
        origins: [{ scheme: shop }]
        entry: { offer: root }
        routes: { offer: { signed: true } }
        """

    private static let secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func serve(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Waymark.Outcome {
        try await Waymark.run(
            ["serve", "--port", "0"] + arguments,
            environment: environment,
            through: Waymark.bounded
        )
    }

    @Test func `one rule and one message hold for all files of keys`() async throws {
        try await TemporaryFolder.with { folder in
            let (database, keys) = (folder + "/states.sqlite", folder + "/keys.json")
            let base = ["--database", database]
            let jwt = ["--jwt-issuer", "i", "--jwt-audience", "a", "--jwt-keys", keys]
            let secrets =
                #"{"keys":[{"kid":"a","kty":"oct","alg":"HS256","k":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"}]}"#
            let cases: [(path: String, text: String, arguments: [String])] = [
                (database + ".key", String(repeating: "k", count: 32), base),
                (keys, "{\"keys\":[{\"id\":\"a\",\"secret\":\"\(Self.secret)\"}]}", base + ["--signing-keys", keys]),
                (keys, secrets, base + jwt),
            ]
            for one in cases {
                try write(one.text, to: one.path, mode: 0o644)
                let refused = try await serve(one.arguments)
                #expect(refused.code == 65, "\(refused.errors)")
                #expect(
                    refused.errors.contains(
                        "`\(one.path)` holds keys, and users outside this process's own user and groups may read or change it (mode 644"
                    ),
                    "\(refused.errors)"
                )
                // As a volume of a container has it, in a group of the process.
                try write(one.text, to: one.path, mode: 0o660)
                let server = try await ServerProcess.start(
                    database: database,
                    options: Array(one.arguments.dropFirst(2))
                )
                server.terminate()
                #expect(try await server.exitCode() == 0)
            }
        }
    }

    @Test func `files of keys that are not there are named with their setting`() async throws {
        try await TemporaryFolder.with { folder in
            let missing = folder + "/none.json"
            let database = ["--database", folder + "/states.sqlite"]
            let signing = try await serve(database + ["--signing-keys", missing])
            #expect(signing.code == 69)
            #expect(signing.errors.contains("cannot read \(missing): No such file or directory."), "\(signing.errors)")
            #expect(signing.errors.contains("--signing-keys, WAYMARK_SIGNING_KEYS or signing.keys"))
            let users = try await serve(
                database + ["--jwt-issuer", "i", "--jwt-audience", "a", "--jwt-keys", missing]
            )
            #expect(users.code == 69)
            #expect(users.errors.contains("\(missing) cannot be read: No such file or directory."), "\(users.errors)")
            #expect(users.errors.contains("--jwt-keys, WAYMARK_JWT_KEYS or jwt.keys"))
        }
    }

    @Test func `links are signed with keys from a variable, the first of them`() async throws {
        try await TemporaryFolder.with { folder in
            let catalog = folder + "/routes.yaml"
            try write(Self.signed, to: catalog)
            func signed(_ secrets: String) async throws -> String {
                let made = try await Waymark.run(
                    ["link", "build", "--sign", "--catalog", catalog],
                    environment: ["WAYMARK_SIGNING_SECRETS": secrets],
                    input: #"{"route":"offer"}"#
                )
                #expect(made.code == 0, "\(made.errors)")
                return made.output.trimmingCharacters(in: .newlines)
            }
            func resolves(_ link: String, _ secrets: String) async throws -> Bool {
                try await Waymark
                    .run(
                        ["resolve", link, "--catalog", catalog, "--database", folder + "/none.sqlite"],
                        environment: ["WAYMARK_SIGNING_SECRETS": secrets]
                    )
                    .code == 0
            }
            let (old, new) = ("old=\(Self.secret)", "new=ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=")
            let (early, late) = (try await signed(old), try await signed("\(new),\(old)"))
            #expect(early.contains("sig=old.") && late.contains("sig=new."))
            for link in [early, late] { #expect(try await resolves(link, "\(new),\(old)")) }
            #expect(try await !resolves(early, new))
            #expect(try await resolves(late, new))
        }
    }

    // MARK: Continuations

    private func token(_ server: ServerProcess) async throws -> String {
        let refusal = try await server.request("GET", "/v1/resolve?link=navigation%3A%2Fsettings")
        let quoted = try #require(try CanonicalJSON.member("continuation", of: refusal.body))
        return String(quoted.dropFirst().dropLast())
    }

    /// Redeems a token for a user who may not go on: 403 if the token is good.
    private func redeem(_ token: String, _ server: ServerProcess) async throws -> Int {
        try await server.request("POST", "/v1/continuations", body: "{\"token\":\"\(token)\",\"user\":\"ada\"}").status
    }

    private func whileServing<Result>(_ database: String, _ body: (ServerProcess) async throws -> Result) async throws
        -> Result
    {
        let server = try await ServerProcess.start(database: database)
        let result = try await body(server)
        server.terminate()
        #expect(try await server.exitCode() == 0)
        return result
    }

    @Test
    func `the key of continuations is replaced by moving its file, and the old one verifies as long as it is there`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let early = try await whileServing(database, token)
            try FileManager.default.moveItem(atPath: database + ".key", toPath: database + ".key.old")
            let late = try await whileServing(database) { server in
                let late = try await token(server)
                for token in [early, late] { #expect(try await redeem(token, server) == 403) }
                return late
            }
            let keys = try [".key", ".key.old"].map { try Data(contentsOf: URL(fileURLWithPath: database + $0)) }
            #expect(keys[0] != keys[1])
            try FileManager.default.removeItem(atPath: database + ".key.old")
            try await whileServing(database) { (server) async throws -> Void in
                #expect(try await redeem(early, server) == 400)
                #expect(try await redeem(late, server) == 403)
            }
        }
    }
}
