import Foundation
import Testing
import WaymarkTestSupport

/// Stops servers that have something to do.
@Suite struct StopTests {
    private static let head = """
        POST /v1/users/dave HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: 36\r
        \r

        """

    private static let get = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

    @Test func `readiness ends with the signal, and what has begun is finished`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            let waiting = try RawConnection(port: server.port)
            let other = try RawConnection(port: server.port)
            let first = try await other.exchange(Self.get)
            try waiting.send(Array((Self.head + #"{"authorization"#).utf8))
            try await Task.sleep(for: .milliseconds(300))
            server.terminate()
            try await Task.sleep(for: .milliseconds(300))
            let second = try await other.exchange(Self.get)
            let third = try await RawConnection(port: server.port).exchange(Self.get)
            let finished = try await waiting.exchange(Array(#"Level":"premiumUser"}"#.utf8))
            let statuses: [Int] = [first, second, third, finished].map(\.status)
            let expected: [Int] = [200, 503, 503, 201]
            #expect(statuses == expected)
            #expect(second.header("connection") == "close")
            #expect(second.header("retry-after") != nil)
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a half-sent body is cut at the deadline, and the server ends well`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            let connection = try RawConnection(port: server.port)
            try connection.send(Array((Self.head + "{").utf8))
            try await Task.sleep(for: .milliseconds(300))
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `connections over the limit wait for others to end`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--maximum-connections", "4"]
            )
            var open: [RawConnection] = []
            for _ in 0..<4 {
                let connection = try RawConnection(port: server.port)
                #expect(try await connection.exchange(Self.get).status == 200)
                open.append(connection)
            }
            let waiting = try RawConnection(port: server.port)
            try waiting.send(Self.get)
            let isServed = try await RawConnection.offPool { try waiting.hasInput(within: 0.3) }
            #expect(!isServed)
            open.removeAll()
            let response = try await RawConnection.offPool { try waiting.receive() }
            #expect(response.status == 200)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
