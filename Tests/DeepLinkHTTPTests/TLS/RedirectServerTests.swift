import Logging
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the port that redirects to https.
@Suite struct RedirectServerTests {
    private func withRedirects(
        limits: ConnectionLimits = TestServer.patient,
        load: ServerLoad = ServerLoad(maximumWork: 1),
        _ body: (Int) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        try await withServer(
            { [logger] onListening in
                RedirectServer(
                    RedirectRules(to: 8443, from: 0, now: { TestServer.now }),
                    load: load,
                    host: "127.0.0.1",
                    port: 0,
                    maximumConnections: 10,
                    limits: limits,
                    logger: logger
                ) { port in onListening(port) }
            },
            body
        )
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
    func `every method is redirected to the same host and target`(_ method: String) async throws {
        try await withRedirects { port in
            let request = "\(method) /p/42?a=%20b HTTP/1.1\r\nHost: links.example.com\r\nContent-Length: 0\r\n\r\n"
            let text = try await RawConnection(port: port).exchangeUntilClose(Array(request.utf8))
            #expect(text.hasPrefix("HTTP/1.1 308 Permanent Redirect\r\n"))
            #expect(text.contains("Location: https://links.example.com/p/42?a=%20b\r\n"))
            #expect(text.contains("Connection: close\r\n"))
            #expect(text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: user@b.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \(String(repeating: "a", count: 5000))\r\n\r\n",
        "GET b.example HTTP/1.1\r\nHost: a.example\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n",
        "hello\r\n\r\n",
    ])
    func `what names no host is refused, and the connection ends`(_ request: String) async throws {
        try await withRedirects { port in
            let text = try await RawConnection(port: port).exchangeUntilClose(Array(request.utf8))
            #expect(text.hasPrefix("HTTP/1.1 400 "))
            #expect(!text.contains("Location:"))
        }
    }

    @Test func `a target in absolute form counts as its host`() async throws {
        try await withRedirects { port in
            let request = "GET http://b.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n"
            let text = try await RawConnection(port: port).exchangeUntilClose(Array(request.utf8))
            #expect(text.contains("Location: https://b.example/x\r\n"))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a connection is counted as long as it is open`() async throws {
        let load = ServerLoad(maximumWork: 1)
        try await withRedirects(load: load) { port in
            let connection = try RawConnection(port: port)
            try connection.send(Array("GET / HT".utf8))
            while load.openConnectionCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(load.openConnectionCount == 1)
        }
        while load.openConnectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a connection that drips is closed in the time of a request`() async throws {
        var limits = TestServer.patient
        limits.request = .milliseconds(300)
        try await withRedirects(limits: limits) { port in
            let connection = try RawConnection(port: port)
            try connection.send(Array("GET / HTTP/1.1\r\nHost: a.example\r\nX: ".utf8))
            try await RawConnection.offPool {
                // An answer may come before the end.
                while true {
                    if try connection.hasInput(within: 0.05) {
                        if try connection.receiveSome().isEmpty { break }
                    } else {
                        try connection.send(Array("T".utf8))
                    }
                }
            }
        }
    }
}
