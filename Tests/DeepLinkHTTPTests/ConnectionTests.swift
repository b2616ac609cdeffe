import DeepLinkAuthentication
import Foundation
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks on raw sockets what becomes of connections.
@Suite struct ConnectionTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let json = #"{"link":"navigation:/onboarding"}"#
    private static let post = "POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    private func withServer<Result: Sendable>(
        _ circumstance: TestServer.Circumstance = .usual,
        limits: ConnectionLimits = TestServer.patient,
        load: ServerLoad = ServerLoad(maximumWork: 1024),
        _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        try await TestServer.application(circumstance, load: load, limits: limits)
            .whileServing { port in try await body(port) }
    }

    /// Everything a server says to some bytes until it closes the connection.
    private func answers(_ request: String, _ port: Int) async throws -> String {
        try await RawConnection(port: port).exchangeUntilClose(Array(request.utf8))
    }

    private func statuses(_ answers: String) -> [String] {
        answers.matches(of: /HTTP\/1\.[01] (\d\d\d)/).map { String($0.1) }
    }

    private func expect(_ expected: [String], of request: String, _ port: Int) async throws {
        let answers = try await answers(request, port)
        #expect(statuses(answers) == expected, "\(request.prefix(200))")
    }

    // MARK: What is refused

    @Test(arguments: [
        ("length and chunks", post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX"),
        ("chunks and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nX"),
        ("one length twice", post + "Content-Length: 33\r\nContent-Length: 33\r\n\r\n" + json),
        ("two lengths", post + "Content-Length: 33\r\nContent-Length: 3\r\n\r\n" + json),
        ("a list of lengths", post + "Content-Length: 33, 33\r\n\r\n" + json),
        ("a signed length", post + "Content-Length: +33\r\n\r\n" + json),
        ("a chunk extension", post + "Transfer-Encoding: chunked\r\n\r\n21;a=b\r\n" + json + "\r\n0\r\n\r\n"),
        ("chunks with bare line feeds", post + "Transfer-Encoding: chunked\r\n\r\n21\n" + json + "\n0\n\n"),
        ("two codings", post + "Transfer-Encoding: gzip, chunked\r\n\r\n21\r\n" + json + "\r\n0\r\n\r\n"),
        ("an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n21\r\n" + json + "\r\n0\r\n\r\n"),
        (
            "chunks of HTTP/1.0",
            post.replacing("HTTP/1.1", with: "HTTP/1.0") + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("a port with a sign", "GET /healthz HTTP/1.1\r\nHost: localhost:+80\r\n\r\n"),
        ("another protocol", "GET /healthz RTSP/1.0\r\nHost: localhost\r\n\r\n"),
        ("two spaces before the target", "GET  /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("two spaces behind the target", "GET /healthz  HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("a space at the end of the line", "GET /healthz HTTP/1.1 \r\nHost: localhost\r\n\r\n"),
        ("bare line feeds", "GET /healthz HTTP/1.1\nHost: localhost\n\n"),
        ("a bare carriage return", "GET /healthz HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n"),
        ("a folded field", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: y\r\n z\r\n\r\n"),
        ("NUL in a field", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: y\0z\r\n\r\n"),
        ("NUL in the target", "GET /health\0z HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("a space before the colon", "GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n"),
        ("no host", "GET /healthz HTTP/1.1\r\n\r\n"), ("no host of HTTP/1.0", "GET /v1/catalog HTTP/1.0\r\n\r\n"),
        ("no host of a link in HTTP/1.0", "GET /settings HTTP/1.0\r\nAccept: text/html\r\n\r\n"),
        ("an empty host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"),
        ("two hosts", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
        ("a host with a path", "GET /healthz HTTP/1.1\r\nHost: loremipsum.com/settings?\r\n\r\n"),
        ("hosts in a list", "GET /healthz HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n"),
        ("HTTP/2 in plain text", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ("TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0"),
    ])
    func `what could be read in two ways is refused, and nothing after it is read`(
        _ name: String,
        _ request: String
    ) async throws {
        try await withServer { port in
            let answers = try await answers(Self.get + request + Self.get, port)
            #expect(statuses(answers) == ["200", "400"], "\(name)")
            #expect(answers.contains("application/problem+json"))
            #expect(answers.contains("Connection: close"))
            // The clock stands still; the answer before has the system's time.
            #expect(answers.contains("Date: Wed, 18 Nov 2026 11:06:40 GMT\r\n"))
        }
    }

    @Test(arguments: ["/healthz", "/readyz"])
    func `a balancer's check of HTTP/1.0 needs no host`(_ path: String) async throws {
        try await withServer { port in
            try await expect(["200"], of: "GET \(path) HTTP/1.0\r\n\r\n", port)
            try await expect(["200"], of: "HEAD \(path) HTTP/1.0\r\n\r\n", port)
        }
    }

    @Test func `a proxy request is refused`() async throws {
        try await withServer { port in
            try await expect(["405"], of: "CONNECT /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get, port)
            try await expect(["405"], of: "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get, port)
        }
    }

    @Test(arguments: [
        ("GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", "414"),
        ("GET /" + String(repeating: "a", count: 200_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", "414"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 17_000) + "\r\n\r\n", "431"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 170_000) + "\r\n\r\n", "431"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: y\r\n", count: 101) + "\r\n", "431"),
        (post + "Content-Length: 1048577\r\n\r\n", "413"),
        (post + "Content-Length: 1048577\r\nExpect: 100-continue\r\n\r\n", "413"),
        (post + "Content-Length: 99999999999999999999\r\n\r\n", "400"),
    ])
    func `what is too large is answered, and the connection ends`(_ request: String, _ status: String) async throws {
        try await withServer { port in try await expect([status], of: request, port) }
    }

    @Test func `a body in chunks that grows too large is not read on`() async throws {
        try await withServer { port in
            let chunk = "10000\r\n" + String(repeating: "a", count: 65_536) + "\r\n"
            let body = String(repeating: chunk, count: 17)
            let answers = try await answers(Self.post + "Transfer-Encoding: chunked\r\n\r\n" + body, port)
            #expect(statuses(answers) == ["413"])
            #expect(answers.contains("Connection: close"))
        }
    }

    @Test func `a request that is answered early keeps its connection only where little is left of it`() async throws {
        try await withServer { port in
            let head = "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n"
            let last = Self.get.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
            let short = try await answers(head + "Content-Length: 5\r\n\r\nhello" + last, port)
            #expect(statuses(short) == ["404", "200"])
            let long = try await answers(head + "Content-Length: 500000\r\n\r\nhello", port)
            #expect(statuses(long) == ["404"])
            #expect(long.contains("Connection: close"))
        }
    }

    @Test func `a body that nobody asked for is not read on`() async throws {
        try await withServer { port in
            let chunk = "10000\r\n" + String(repeating: "a", count: 65_536) + "\r\n"
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answers = try await answers(request + String(repeating: chunk, count: 100), port)
            #expect(statuses(answers) == ["200"])
            #expect(answers.contains("Connection: close"))
        }
    }

    @Test func `fields after a body end the connection with its answer`() async throws {
        try await withServer { port in
            let request = Self.post + "Transfer-Encoding: chunked\r\n\r\n0\r\nConnection: close\r\n\r\n"
            try await expect(["400"], of: request + Self.get, port)
        }
    }

    @Test func `a stream of lines ends where its caller is no longer let in`() async throws {
        let tokens = InMemoryServiceTokenStore()
        let serviceTokens = try await ServiceTokens(tokens)
        try await TestServer.application(authentication: Authentication(serviceTokens: serviceTokens))
            .whileServing { port in
                let connection = try RawConnection(port: port)
                let head =
                    "POST /v1/resolve/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
                let line = Self.json + "\n"
                let chunk = String(line.utf8.count, radix: 16) + "\r\n" + line + "\r\n"
                _ = try await connection.exchange(Array((head + chunk).utf8), until: "catalogVersion")
                try await tokens.add(TestToken.admin.stored)
                try await serviceTokens.refresh()
                let rest = try await connection.exchange(Array(chunk.utf8), until: "0\r\n\r\n")
                #expect(rest.contains("authentication-required"))
                #expect(!rest.contains("catalogVersion"))
            }
    }

    // MARK: When connections end

    @Test func `a slow reader gets the whole answer before the connection ends`() async throws {
        var limits = TestServer.patient
        limits.linger = .milliseconds(100)
        try await withServer(limits: limits) { port in
            let connection = try RawConnection(port: port, receiveBufferByteCount: 4096)
            let line = #"{"link":"navigation:/onboarding","explain":true}"# + "\n"
            let body = String(repeating: line, count: 5_000)
            let head =
                "POST /v1/resolve/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            // The server's output waits in its own buffers meanwhile.
            let sender = Task { try await RawConnection.offPool { try connection.send(Array((head + body).utf8)) } }
            try await Task.sleep(for: .seconds(1))
            let answers = try await connection.exchangeUntilClose([])
            try await sender.value
            #expect(answers.components(separatedBy: "\"catalogVersion\"").count == 5_001)
        }
    }

    @Test(arguments: ["Connection: close", "Connection: Close", "Connection: x, CLOSE", "connection:\tclose"])
    func `a client may end the connection in any spelling`(_ field: String) async throws {
        try await withServer { port in
            let answers = try await answers(
                Self.get.replacing("\r\n\r\n", with: "\r\n\(field)\r\n\r\n") + Self.get,
                port
            )
            #expect(statuses(answers) == ["200"])
            #expect(answers.contains("Connection: close"))
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func `HTTP 1.0 ends the connection, and knows no chunks`(_ field: String) async throws {
        try await withServer(.insecure) { port in
            let get = "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\(field)\r\n"
            try await expect(["200"], of: get + Self.get, port)
            let batch =
                "POST /v1/resolve/batch HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n\(field)"
                + "Content-Length: \(Self.json.utf8.count)\r\n\r\n" + Self.json
            let lines = try await answers(batch, port)
            #expect(lines.hasPrefix("HTTP/1.0 200 OK\r\n"))
            #expect(!lines.lowercased().contains("transfer-encoding"))
            #expect(lines.contains("\r\n\r\n{\"link\":"))
        }
    }

    @Test func `requests sent ahead are answered in order`() async throws {
        try await withServer { port in
            let requests = (1...50)
                .map { number in
                    number % 3 == 0
                        ? Self.post + "Content-Length: 3\r\n\r\n[\(number % 10)]"
                        : "GET /v1/resolve?link=navigation:/nowhere/\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                }
                .joined()
            let last = Self.get.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
            let answers = try await answers(requests + last, port)
            #expect(statuses(answers) == (1...50).map { $0 % 3 == 0 ? "400" : "404" } + ["200"])
            let numbers = answers.matches(of: /"unmatched":\["nowhere","(\d+)"\]/).compactMap { Int($0.1) }
            #expect(numbers == (1...50).filter { $0 % 3 != 0 })
        }
    }

    @Test func `a client that waits to be told may send its body`() async throws {
        try await withServer { port in
            let connection = try RawConnection(port: port)
            let head = Self.post + "Content-Length: \(Self.json.utf8.count)\r\nExpect: 100-Continue\r\n\r\n"
            let first = try await connection.exchange(Array((Self.get + head).utf8), until: "100 Continue\r\n\r\n")
            #expect(statuses(first) == ["200", "100"])
            let second = try await connection.exchange(Array(Self.json.utf8), until: "catalogVersion")
            #expect(statuses(second) == ["200"])
        }
    }

    @Test func `500 slow connections keep nobody else from being served`() async throws {
        try await withServer { port in
            let starts = [
                "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", Self.post + "Content-Length: 1000\r\n\r\n",
                String(repeating: Self.get, count: 50),
            ]
            // More connections than the system keeps for the server wait until it takes some, on a thread that it needs.
            let statuses = try await RawConnection.offPool {
                var slow: [RawConnection] = []
                for number in 0..<500 {
                    let connection = try RawConnection(port: port)
                    try connection.send(Array(starts[number % starts.count].utf8))
                    slow.append(connection)
                }
                return try (0..<50)
                    .map { _ in
                        for connection in slow.prefix(20) { try connection.send([UInt8(ascii: "a")]) }
                        let quick = try RawConnection(port: port)
                        try quick.send(Array(Self.get.utf8))
                        return try quick.receive().status
                    }
            }
            #expect(statuses == Array(repeating: 200, count: 50))
        }
    }

    @Test func `a server that stops says so, and ends its connections`() async throws {
        let load = ServerLoad(maximumWork: 8)
        try await withServer(load: load) { port in
            load.drain()
            let ready = try await answers("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n", port)
            #expect(statuses(ready) == ["503"])
            #expect(ready.contains("Retry-After:"))
            #expect(ready.contains("Connection: close"))
            try await expect(["200"], of: Self.get, port)
        }
    }

    @Test func `requests under way are counted until they are answered or given up`() async throws {
        let load = ServerLoad(maximumWork: 8)
        try await withServer(load: load) { port in
            var connection: RawConnection? = try RawConnection(port: port)
            try connection?.send(Array((Self.get + Self.post + "Content-Length: 100\r\n\r\n").utf8))
            while load.openRequestCount != 1 { try await Task.sleep(for: .milliseconds(10)) }
            connection = nil
            while load.openRequestCount != 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(
                statuses(try await answers(Self.get.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"), port))
                    == ["200"]
            )
            while load.openRequestCount != 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
    }
}
