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

    /// Sends bytes and waits for the answer, on the thread that it is called on.
    private static func ask(_ connection: RawConnection, _ bytes: [UInt8] = get) throws -> RawResponse {
        try connection.send(bytes)
        return try connection.receive()
    }

    @Test func `readiness ends with the signal, and what has begun is finished`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            // On a thread of its own: the server's deadline does not wait for other tests.
            let responses = try await RawConnection.offPool {
                let waiting = try RawConnection(port: server.port)
                let other = try RawConnection(port: server.port)
                let first = try Self.ask(other)
                try waiting.send(Array((Self.head + #"{"authorization"#).utf8))
                Thread.sleep(forTimeInterval: 0.3)
                server.terminate()
                Thread.sleep(forTimeInterval: 0.3)
                let second = try Self.ask(other)
                let third = try Self.ask(RawConnection(port: server.port))
                return [first, second, third, try Self.ask(waiting, Array(#"Level":"premiumUser"}"#.utf8))]
            }
            #expect(responses.map(\.status) == [200, 503, 503, 201])
            #expect(responses[1].header("connection") == "close")
            #expect(responses[1].header("retry-after") != nil)
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
            // On a thread of its own: the server ends connections that are silent, however long other tests take.
            let (statuses, isServed, last) = try await RawConnection.offPool {
                var open: [RawConnection] = []
                var statuses: [Int] = []
                for _ in 0..<4 {
                    let connection = try RawConnection(port: server.port)
                    statuses.append(try Self.ask(connection).status)
                    open.append(connection)
                }
                let waiting = try RawConnection(port: server.port)
                try waiting.send(Self.get)
                let isServed = try waiting.hasInput(within: 0.3)
                open.removeAll()
                return (statuses, isServed, try waiting.receive().status)
            }
            #expect(statuses == [200, 200, 200, 200])
            #expect(!isServed)
            #expect(last == 200)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
