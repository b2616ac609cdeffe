import Foundation
import Testing
import WaymarkTestSupport

@Suite struct ContinuationProcessTests {
    private func token(_ server: ServerProcess) async throws -> String {
        let refusal = try await server.request("GET", "/v1/resolve?link=navigation%3A%2Fsettings")
        #expect(refusal.status == 403)
        let quoted = try #require(try CanonicalJSON.member("continuation", of: refusal.body))
        return String(quoted.dropFirst().dropLast())
    }

    private func redeem(_ token: String, _ server: ServerProcess, user: String = "ada") async throws -> RawResponse {
        try await server.request("POST", "/v1/continuations", body: "{\"token\":\"\(token)\",\"user\":\"\(user)\"}")
    }

    @Test func `a token outlives the process, and so does its being spent`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            var server = try await ServerProcess.start(database: database)
            let token = try await token(server)
            #expect(try await redeem(token, server).status == 403)
            let body = "{\"authorizationLevel\":\"premiumUser\"}"
            #expect(try await server.request("POST", "/v1/users/ada", body: body).status == 201)
            try await server.kill()
            server = try await ServerProcess.start(database: database)
            #expect(try await redeem(token, server).status == 200)
            try await server.kill()
            server = try await ServerProcess.start(database: database)
            // Its own user may redeem it again, nobody else.
            #expect(try await redeem(token, server).status == 200)
            let other = try await redeem(token, server, user: "bob")
            #expect(other.status == 410)
            #expect(other.text.contains("continuation-spent"))
            try await server.kill()
        }
    }

    @Test func `the key is made once, for its owner alone`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/states.sqlite.key"
            let database = ["serve", "--port", "0", "--database", folder + "/states.sqlite"]
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            try await server.kill()
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(FileManager.default.contents(atPath: file)?.count == 32)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let open = try await Waymark.run(database)
            #expect(open.code == 65)
            #expect(open.errors.contains("chmod 600"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            try Data("short".utf8).write(to: URL(fileURLWithPath: file))
            let short = try await Waymark.run(database)
            #expect(short.code == 65)
            #expect(short.errors.contains("fewer than 32 bytes"))
        }
    }

    @Test(arguments: ["c2hvcnQ=", "no base64!"])
    func `a key that is none is refused, and not repeated`(_ key: String) async throws {
        let outcome = try await Waymark.run(
            ["serve", "--port", "0"],
            environment: ["WAYMARK_CONTINUATION_KEY": key]
        )
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("WAYMARK_CONTINUATION_KEY"))
        #expect(!outcome.errors.contains(key))
    }
}
