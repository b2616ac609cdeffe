import Foundation
import Glibc
import Testing
import WaymarkTestSupport

/// Tests that stop servers that have something to do.
@Suite struct StopTests {
    private static let head = """
        POST /v1/users/dave HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: 36\r
        Expect: 100-continue\r
        \r

        """

    private static let get = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

    /// Begins a request, and waits until the server has taken it: it asks for the body then.
    private static func begin(_ connection: RawConnection) throws {
        try connection.send(Array(head.utf8))
        var received = ""
        while !received.contains("100 Continue") {
            received += String(decoding: try connection.receiveSome(), as: UTF8.self)
        }
    }

    /// Sends bytes and waits for the answer, on the thread that it is called on.
    private static func ask(_ connection: RawConnection, _ bytes: [UInt8] = get) throws -> RawResponse {
        try connection.send(bytes)
        return try connection.receive()
    }

    @Test func `readiness ends with the signal, and what has begun is finished`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--drain-seconds", "20"]
            )
            // On a thread of its own: the server's deadline does not wait for other tests.
            let responses = try await RawConnection.offPool {
                let waiting = try RawConnection(port: server.port)
                let other = try RawConnection(port: server.port)
                let first = try Self.ask(other)
                try Self.begin(waiting)
                try waiting.send(Array(#"{"authorization"#.utf8))
                server.terminate()
                while !server.logged.contains("Stopping") { Thread.sleep(forTimeInterval: 0.01) }
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

    @Test func `the port stays open for the drain, and answers end their connections`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--drain-seconds", "10"]
            )
            let resolve = Array("GET /v1/resolve?link=navigation:/onboarding HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let (before, after) = try await RawConnection.offPool {
                let before = try Self.ask(RawConnection(port: server.port), resolve)
                server.terminate()
                while !server.logged.contains("Stopping") { Thread.sleep(forTimeInterval: 0.01) }
                // Nothing is under way: a server that waited for that alone would be gone.
                Thread.sleep(forTimeInterval: 0.5)
                return (before, try Self.ask(RawConnection(port: server.port), resolve))
            }
            #expect(before.status == 200)
            #expect(after.status == 200)
            #expect(before.header("connection") == nil)
            #expect(after.header("connection") == "close")
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `who asks at a terminal waits for no balancer`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--drain-seconds", "600"]
            )
            server.signal(SIGINT)
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a half-sent body is cut at the deadline, and the server ends well`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            let connection = try RawConnection(port: server.port)
            try await RawConnection.offPool { try Self.begin(connection) }
            try connection.send([UInt8(ascii: "{")])
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a second Ctrl-C ends the server at once`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(database: folder + "/states.sqlite")
            // A request on its way, for which a server that stops would wait.
            let connection = try RawConnection(port: server.port)
            // On one thread, since the second must come before the request is cut, ten seconds after the first.
            try await RawConnection.offPool {
                try Self.begin(connection)
                try connection.send([UInt8(ascii: "{")])
                server.signal(SIGINT)
                while !server.logged.contains("Stopping") { Thread.sleep(forTimeInterval: 0.02) }
                server.signal(SIGINT)
            }
            #expect(try await server.exitCode() == 1)
            withExtendedLifetime(connection) {}
        }
    }

    // ThreadSanitizer's own _exit(2) writes all streams first, and so waits for the reader.
    @Test(.disabled(if: Effort.sanitizer == "thread", "a process with it does not end before its log is written"))
    func `a server whose log nobody reads ends all the same`() async throws {
        try await TemporaryFolder.with { folder in
            let catalog = folder + "/routes.yaml"
            let sound = "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }\n"
            try Data(sound.utf8).write(to: URL(fileURLWithPath: catalog))
            let process = Waymark.process(
                [
                    "serve", "--port", "0", "--drain-seconds", "0", "--database", folder + "/states.sqlite",
                    "--catalog", catalog,
                ]
            )
            let log = Pipe()
            process.standardError = log
            try process.run()
            let code: Int32? = try await RawConnection.offPool {
                var text = ""
                while !text.contains("Listening on") {
                    text += String(decoding: log.fileHandleForReading.availableData, as: UTF8.self)
                }
                // More faults than a pipe has room for: whoever logs them waits, and all who log after it.
                let faults = (0..<5_000).map { "key\($0): 1\n" }.joined()
                try Data((sound + faults).utf8).write(to: URL(fileURLWithPath: catalog), options: .atomic)
                Thread.sleep(forTimeInterval: 4)
                process.terminate()
                for _ in 0..<6_000 where process.isRunning { Thread.sleep(forTimeInterval: 0.1) }
                let hangs = process.isRunning
                if hangs { Glibc.kill(process.processIdentifier, SIGKILL) }
                process.waitUntilExit()
                return hangs ? nil : process.terminationStatus
            }
            #expect(code == 1)
        }
    }

    /// A request that no supervisor makes.
    private static let ordinary = Array("GET /v1/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

    @Test func `with every connection taken, probes and metrics are answered, and the oldest that wait make room`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                options: ["--maximum-connections", "4"]
            )
            let (answers, oldest) = try await RawConnection.offPool {
                let taken = try (0..<4).map { _ in try RawConnection(port: server.port) }
                for connection in taken { _ = try Self.ask(connection) }
                // More than may wait. The request of the oldest has been read before the others come.
                let first = try RawConnection(port: server.port)
                try first.send(Self.ordinary)
                Thread.sleep(forTimeInterval: 1)
                let waiting = try (0..<40).map { _ in try RawConnection(port: server.port) }
                for connection in waiting { try connection.send(Self.ordinary) }
                var answers: [RawResponse] = []
                for path in ["readyz", "healthz", "metrics"] {
                    let request = "GET /\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    // In pieces: what it is shows only at the end of the path.
                    let connection = try RawConnection(port: server.port)
                    try connection.send(Array(request.utf8.prefix(6)))
                    Thread.sleep(forTimeInterval: 0.05)
                    answers.append(try Self.ask(connection, Array(request.utf8.dropFirst(6))))
                }
                let oldest = try first.receive()
                withExtendedLifetime((taken, waiting)) {}
                return (answers, oldest)
            }
            #expect(answers.map(\.status) == [200, 200, 200])
            #expect(answers.allSatisfy { $0.head.contains("Connection: close") })
            #expect(oldest.status == 503)
            #expect(oldest.head.contains("Retry-After: 1"))
            #expect(server.logged.contains("As many connections are open as the settings allow"))
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
                try waiting.send(Self.ordinary)
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
