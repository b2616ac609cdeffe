import DeepLinkCore
import GRDB
import Testing
import WaymarkTestSupport

/// Tests that the real binary, which keeps levels in memory, answers as its database says.
@Suite struct LevelProcessTests {
    private static let link = "navigation%3A%2Fonboarding"

    private func level(_ server: ServerProcess, _ user: String) async throws -> String? {
        let answer = try await server.request("GET", "/v1/resolve?link=\(Self.link)&user=\(user)")
        #expect(answer.status == 200)
        return answer.text.firstMatch(of: /"user":"([A-Za-z]+)"/).map { String($0.1) }
    }

    private func set(_ level: AuthorizationLevel, _ user: String, _ server: ServerProcess) async throws {
        let body = "{\"authorizationLevel\":\"\(level.name)\"}"
        #expect([200, 201].contains(try await server.request("POST", "/v1/users/\(user)", body: body).status))
    }

    @Test(arguments: ["0", "2", "100000"])
    func `a level counts for whoever asks after its acknowledgement`(_ maximum: String) async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--maximum-cached-users", maximum]
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in ["ada", "bob", "cyd", "dan"] {
                    group.addTask {
                        for round in 0..<12 {
                            let wanted = AuthorizationLevel.allCases[round % 4]
                            try await set(wanted, user, server)
                            for _ in 0..<2 { #expect(try await level(server, user) == wanted.name) }
                        }
                        #expect(try await server.request("DELETE", "/v1/users/\(user)").status == 204)
                        #expect(try await level(server, user) == "none")
                    }
                }
                try await group.waitForAll()
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `what other processes change counts soon`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: database)
            try await set(.onboardingCompleted, "ada", server)
            #expect(try await level(server, "ada") == "onboardingCompleted")
            let outcome = try await Waymark.run([
                "user", "set", "ada", "premiumUser", "--create", "--database", database,
            ])
            #expect(outcome.code == 0)
            while try await level(server, "ada") != "premiumUser" { try await Task.sleep(for: .milliseconds(10)) }
            let queue = try DatabaseQueue(path: database)
            try await queue.write { try $0.execute(sql: "UPDATE user_state SET level = 'signedInUser'") }
            try queue.close()
            while try await level(server, "ada") != "signedInUser" { try await Task.sleep(for: .milliseconds(10)) }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
