import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the sockets of the server.
@Suite struct WaymarkServerTests {
    /// A socket that listens on a free port of loopback, as systemd would hand it over.
    private final class Listening: Sendable {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port: Int

        init() throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) | listen(descriptor, 16)
                        | getsockname(descriptor, address, &length)
                }
            }
            try #require(code == 0)
            port = Int(UInt16(bigEndian: address.sin_port))
        }

        deinit { close(descriptor) }
    }

    @Test func `as many connections may wait to be accepted as the system lets`() throws {
        let text = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        let limit = try #require(Int32(text.filter(\.isNumber)))
        // A larger number is capped at the system's own (listen(2)).
        #expect(ListeningPort.backlog >= limit)
    }

    /// Keeps all event loops busy for a time: they run tasks, and look at no socket.
    private func occupyLoops(for milliseconds: UInt32) {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            loop.execute { usleep(milliseconds * 1000) }
        }
    }

    private func serve(
        limits: ConnectionLimits = ConnectionLimits(),
        maximumConnections: Int = 100,
        _ body: (Int) async throws -> Void
    ) async throws {
        let service = try TestServer.service()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        try await withServer(
            { [logger] onListening in
                ApplicationServer(
                    service.connections,
                    host: "127.0.0.1",
                    port: 0,
                    maximumConnections: maximumConnections,
                    limits: limits,
                    logger: logger
                ) { port in onListening(port) }
            },
            body
        )
    }

    @Test func `a request that arrives as the time of its connection ends is answered`() async throws {
        var limits = ConnectionLimits()
        (limits.idle, limits.request) = (.milliseconds(400), .milliseconds(400))
        try await serve(limits: limits) { port in
            let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let connection = try RawConnection(port: port)
            #expect(try await connection.exchange(request).status == 200)
            occupyLoops(for: 800)
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await connection.exchange(request).status == 200)
            // Nothing has arrived at the next end.
            #expect(try await RawConnection.offPool { try connection.receiveSome() }.isEmpty)
        }
    }

    @Test func `of a burst beyond the places every request is refused that does not wait`() async throws {
        try await serve(maximumConnections: 1) { port in
            let request = Array("GET /v1/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let place = try RawConnection(port: port)
            #expect(try await place.exchange(request).status == 200)
            occupyLoops(for: 500)
            let burst = try (0..<60)
                .map { _ in
                    let connection = try RawConnection(port: port)
                    try connection.send(request)
                    return connection
                }
            var ended: [RawConnection] = []
            for _ in 0..<600 where ended.count < burst.count - CountedConnections.waitingCount {
                try await Task.sleep(for: .milliseconds(50))
                ended = try burst.filter { try $0.hasInput(within: 0) }
            }
            #expect(ended.count == burst.count - CountedConnections.waitingCount)
            for connection in ended {
                #expect(try await RawConnection.offPool { try connection.receive().status } == 503)
            }
            withExtendedLifetime(place) {}
        }
    }

    @Test func `a socket that is handed over outlasts the server, and the next one answers who waits`() async throws {
        let socket = try Listening()
        let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        func serve(_ body: (Int) async throws -> Int) async throws -> Int {
            let service = try TestServer.service()
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            return try await withServer(
                { [logger] onListening in
                    ApplicationServer(
                        service.connections,
                        host: "127.0.0.1",
                        port: 0,
                        // The server's own descriptor, which it closes.
                        socket: dup(socket.descriptor),
                        maximumConnections: 100,
                        logger: logger
                    ) { port in onListening(port) }
                },
                body
            )
        }
        let first = try await serve { port in
            #expect(port == socket.port)
            return try await RawConnection(port: port).exchange(request).status
        }
        // Between the two, the connection is taken by the system.
        let waiting = try RawConnection(port: socket.port)
        try waiting.send(request)
        let second = try await serve { _ in try await RawConnection.offPool { try waiting.receive().status } }
        #expect(first == 200)
        #expect(second == 200)
    }
}
