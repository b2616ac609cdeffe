import Foundation
import Testing
import WaymarkTestSupport

/// A server behind a real nginx: what strangers reach through it.
@Suite struct ProxyTests {
    /// The ways in which a proxy may pass requests on, as lines of nginx's configuration.
    enum Way: String, CaseIterable {
        /// nginx's own: HTTP/1.0, and the address of the server as its host.
        case byDefault = ""

        /// The client's host.
        case withHost = "proxy_set_header Host $host;"

        /// The client's host, and HTTP/1.1, by which the service is kept connected.
        case connected = "proxy_set_header Host $host; proxy_http_version 1.1; proxy_set_header Connection '';"

        /// The server's address as its host, HTTP/1.1, and the client's address.
        case named = "proxy_http_version 1.1; proxy_set_header X-Forwarded-For $remote_addr;"
    }

    private static let write = #"{"authorizationLevel":"premiumUser"}"#

    /// Asks for a target under a host.
    private func ask(
        _ port: Int,
        _ method: String,
        _ target: String,
        host: String,
        body: String = "",
        token: String? = nil
    ) async throws -> RawResponse {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"]
        if let token { lines.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        return try await RawConnection(port: port).exchange(Array(text.utf8), isHead: method == "HEAD")
    }

    @Test(arguments: Way.allCases)
    func `a proxy in front of an open server opens nothing, and tells how to be let in`(_ way: Way) async throws {
        try await ServerProcess.with { server in
            try await Proxy.with(to: server.port, way.rawValue) { port in
                for host in ["links.example.com", "loremipsum.com", "localhost", "127.0.0.1:\(port)"] {
                    // A request with HTTP/1.1, a host of this machine and no field of a proxy cannot be recognized.
                    if way == .connected, host == "localhost" || host.hasPrefix("127.") { continue }
                    for (method, target) in [("POST", "/v1/users/mallory"), ("POST", "/v1/resolve")] {
                        let answer = try await ask(port, method, target, host: host, body: Self.write)
                        #expect([401, 421].contains(answer.status), "\(way) \(host) \(target): \(answer.status)")
                        #expect(answer.text.contains("waymark token create"), "\(way) \(host) \(target)")
                    }
                    #expect(try await ask(port, "GET", "/v1/users/mallory", host: host).status != 404)
                    for target in ["/healthz", "/readyz", "/openapi.json"] {
                        #expect(
                            try await ask(port, "GET", target, host: host).status == 200,
                            "\(way) \(host) \(target)"
                        )
                    }
                }
            }
            #expect(try await server.request("GET", "/v1/users/mallory").status == 404)
            #expect(server.logged.contains("cannot be recognized"))
            #expect(server.logged.contains("waymark token create"))
        }
    }

    @Test func `a web link of an origin is answered through a proxy that cannot be recognized, and no write is`()
        async throws
    {
        try await ServerProcess.with { server in
            try await Proxy.with(to: server.port, Way.connected.rawValue) { port in
                for (method, status) in [("GET", 200), ("HEAD", 200), ("POST", 421)] {
                    let answer = try await ask(port, method, "/onboarding", host: "loremipsum.com")
                    #expect(answer.status == status, "\(method)")
                }
            }
        }
    }

    @Test(arguments: Way.allCases) func `with a token, every proxy passes`(_ way: Way) async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: database)
            let made = try await Waymark.run(["token", "create", "--role", "admin", "--database", database])
            let token = made.output.trimmingCharacters(in: .newlines)
            while !server.logged.contains("Callers need credentials from now on.") {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await Proxy.with(to: server.port, way.rawValue) { port in
                let answer = try await ask(
                    port,
                    "POST",
                    "/v1/users/ada",
                    host: "links.example.com",
                    body: Self.write,
                    token: token
                )
                #expect(answer.status == 201, "\(answer.text)")
                #expect(try await ask(port, "GET", "/v1/users/ada", host: "links.example.com").status == 401)
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `where it is to be insecure, proxies pass, and the log is loud`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--insecure-no-auth"]
            )
            try await Proxy.with(to: server.port, Way.byDefault.rawValue) { port in
                let answer = try await ask(port, "POST", "/v1/users/ada", host: "links.example.com", body: Self.write)
                #expect(answer.status == 201)
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
            #expect(server.logged.contains("INSECURE"))
        }
    }
}
