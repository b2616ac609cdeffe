import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@Suite struct ServeTests {
    private func resolveTarget(_ link: String, user: String) throws -> String {
        let encoded = try #require(link.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return "/v1/resolve?link=\(encoded)&user=\(user)"
    }

    @Test func `every link of the sample app answers at every level as its vector says`() async throws {
        try await ServerProcess.with { server in
            for level in AuthorizationLevel.allCases {
                let body = "{\"authorizationLevel\":\"\(level.name)\"}"
                #expect(try await server.request("POST", "/v1/users/\(level.name)", body: body).status == 201)
            }
            for vector in SampleApp.cases {
                for level in AuthorizationLevel.allCases {
                    let target = try resolveTarget(vector.link, user: level.name)
                    let response = try await server.request("GET", target)
                    let isGranted = level >= vector.requiredLevel
                    #expect(response.status == (isGranted ? 200 : 403), "\(vector.link) \(level.name)")
                    if isGranted {
                        #expect(try CanonicalJSON.member("stack", of: response.body) == vector.stack)
                        let levels = "{\"required\":\"\(vector.requiredLevel.name)\",\"user\":\"\(level.name)\"}"
                        #expect(try CanonicalJSON.member("authorizationLevel", of: response.body) == levels)
                    } else {
                        #expect(response.text.contains("\"requiredLevel\":\"\(vector.requiredLevel.name)\""))
                    }
                }
            }
        }
    }

    @Test func `an acknowledged level survives kill -9`() async throws {
        try await TemporaryFolder.with { folder in
            for round in 1...10 {
                let server = try await ServerProcess.start(database: folder + "/states.sqlite")
                if round > 1 {
                    let previous = try await server.request("GET", "/v1/users/u\(round - 1)")
                    #expect(previous.text.contains("\"premiumUser\""))
                }
                let body = "{\"authorizationLevel\":\"premiumUser\"}"
                #expect(try await server.request("POST", "/v1/users/u\(round)", body: body).status == 201)
                try await server.kill()
            }
        }
    }

    @Test func `an end in the past lowers the level on the next resolve`() async throws {
        try await ServerProcess.with { server in
            let target = try resolveTarget("navigation://loremipsum.com/settings", user: "carol")
            _ = try await server.request("POST", "/v1/users/carol", body: "{\"authorizationLevel\":\"signedInUser\"}")
            #expect(try await server.request("GET", target).status == 200)
            let ended = "{\"authorizationLevel\":\"signedInUser\",\"validUntil\":\"2020-01-01T00:00:00Z\"}"
            _ = try await server.request("POST", "/v1/users/carol", body: ended)
            let refused = try await server.request("GET", target)
            #expect(refused.status == 403)
            #expect(refused.text.contains("\"userLevel\":\"onboardingCompleted\""))
        }
    }

    @Test func `SIGTERM finishes a request in flight, checkpoints and exits with 0`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: path)
            let connection = try RawConnection(port: server.port)
            let body = "{\"authorizationLevel\":\"premiumUser\"}"
            let head =
                "POST /v1/users/dave HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            // On a thread of its own: the server's deadline does not wait for other tests.
            let response = try await RawConnection.offPool {
                try connection.send(Array((head + body.prefix(10)).utf8))
                Thread.sleep(forTimeInterval: 0.3)
                server.terminate()
                while !server.logged.contains("Stopping") { Thread.sleep(forTimeInterval: 0.01) }
                try connection.send(Array(body.dropFirst(10).utf8))
                return try connection.receive()
            }
            #expect(response.status == 201)
            #expect(try await server.exitCode() == 0)
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            #expect((log ?? 0) == 0)
            let state = try await Waymark.run(["user", "get", "dave", "--database", path])
            #expect(state.output.contains("premiumUser"))
        }
    }

    @Test func `a second server on a port says that it is taken, and what changes it`() async throws {
        try await ServerProcess.with { server in
            try await TemporaryFolder.with { folder in
                let port = String(server.port)
                let second = try await Waymark.run(["serve", "--port", port, "--database", folder + "/x.sqlite"])
                #expect(second.code == 69)
                #expect(second.errors.contains("port \(port) on 127.0.0.1 is taken"))
                #expect(second.errors.contains("--port, WAYMARK_HTTP_PORT or http.port"))
            }
        }
    }

    @Test func `a server asks for consent before other machines can connect`() async throws {
        try await TemporaryFolder.with { folder in
            let database = ["--database", folder + "/states.sqlite"]
            let outcome = try await Waymark.run(["serve", "--host", "0.0.0.0", "--port", "0"] + database)
            #expect(outcome.code == 64)
            #expect(outcome.errors.contains("waymark token create"))
            #expect(outcome.errors.contains("--insecure-no-auth, WAYMARK_INSECURE_NO_AUTH"))
        }
    }

    @Test func `a broken catalog is refused with the report of the check`() async throws {
        let file = "Tests/DeepLinkCatalogTests/TenMistakes.yaml"
        let check = try await Waymark.run(["catalog", "check", file])
        let serve = try await Waymark.run(["serve", "--port", "0", "--catalog", file])
        #expect((check.code, serve.code) == (65, 65))
        #expect(check.errors.contains("the catalog has 10 issues"))
        #expect(check.errors == serve.errors)
        #expect(check.errors.split(separator: "\n").count { $0.hasPrefix("\(file):") } == 10)
        #expect(check.errors.split(separator: "\n").count { $0.hasPrefix("    hint: ") } == 10)
    }

    @Test func `the health check tells a ready server from none`() async throws {
        let port = try await ServerProcess.with { server in
            let ready = try await Waymark.run(["healthcheck"], environment: ["WAYMARK_HTTP_PORT": String(server.port)])
            #expect(ready.code == 0)
            return server.port
        }
        #expect(try await Waymark.run(["healthcheck", "--port", String(port)]).code == 69)
    }

    @Test func `a change by the command line is seen by the running server`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: path)
            _ = try await Waymark.run(["user", "set", "erin", "premiumUser", "--create", "--database", path])
            #expect(try await server.request("GET", "/v1/users/erin").text.contains("\"premiumUser\""))
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
