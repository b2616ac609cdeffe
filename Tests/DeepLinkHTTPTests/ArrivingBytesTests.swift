import Foundation
import NIOCore
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks that what half-sent requests keep is bounded over all connections, and that reading a body is work.
@Suite struct ArrivingBytesTests {
    private static let head = "POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    /// Sends part of a request and waits until the server keeps more than so many bytes.
    private func hold(_ text: String, _ port: Int, _ load: ServerLoad, until count: Int) async throws -> RawConnection {
        let connection = try RawConnection(port: port)
        try await RawConnection.offPool { try connection.send(Array(text.utf8)) }
        while load.arriving.taken.load(ordering: .relaxed) < count { try await Task.sleep(for: .milliseconds(5)) }
        return connection
    }

    private func withServer(
        _ load: ServerLoad,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await TestServer.application(load: load).whileServing { port in try await body(port) }
    }

    @Test func `half-sent bodies beyond the bound are refused, and room comes back`() async throws {
        let load = ServerLoad(maximumWork: 1024, maximumArrivingBytes: 300_000)
        try await withServer(load) { port in
            let body = String(repeating: " ", count: 200_000)
            let begin = Self.head + "Content-Length: 250000\r\n\r\n" + body
            var held: RawConnection? = try await hold(begin, port, load, until: 200_000)
            let refused = try await RawConnection(port: port).exchangeUntilClose(Array(begin.utf8))
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.contains("urn:waymark:problem:overloaded"))
            #expect(refused.lowercased().contains("retry-after: 1\r\n"))
            // Small requests still fit.
            let json = #"{"link":"navigation:/onboarding"}"#
            let small = Self.head + "Content-Length: \(json.utf8.count)\r\n\r\n" + json
            let answer = try await RawConnection(port: port).exchange(Array(small.utf8))
            #expect(answer.head.first?.hasPrefix("HTTP/1.1 200") == true)
            held = nil
            _ = held
            while load.arriving.taken.load(ordering: .relaxed) > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func `half-sent heads count, too`() async throws {
        let load = ServerLoad(maximumWork: 1024, maximumArrivingBytes: 20_000)
        try await withServer(load) { port in
            let half = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 15_000)
            var held: RawConnection? = try await hold(half, port, load, until: 15_000)
            let refused = try await RawConnection(port: port).exchangeUntilClose(Array(half.utf8))
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            held = nil
            _ = held
            while load.arriving.taken.load(ordering: .relaxed) > 0 { try await Task.sleep(for: .milliseconds(5)) }
            let answer = try await RawConnection(port: port).exchange(Array((half + "\r\n\r\n").utf8))
            #expect(answer.head.first?.hasPrefix("HTTP/1.1 200") == true)
            #expect(load.arriving.taken.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `half-sent lines of a batch count, too`() async throws {
        let load = ServerLoad(maximumWork: 1024, maximumArrivingBytes: 300_000)
        try await withServer(load) { port in
            let head = "POST /v1/resolve/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
            let begin = head + "Content-Length: 900000\r\n\r\n" + String(repeating: " ", count: 200_000)
            let held = try await hold(begin, port, load, until: 150_000)
            let other = try RawConnection(port: port)
            let answer = try await other.exchange(Array(begin.utf8), until: "overloaded")
            #expect(answer.contains("\"status\":503"))
            _ = held
        }
    }

    @Test func `a body is read within the limit of requests`() async throws {
        // Nothing is worked on: not even a body that is no JSON is looked at.
        try await withServer(ServerLoad(maximumWork: 0)) { port in
            let answer = try await RawConnection(port: port)
                .exchange(Array((Self.head + "Content-Length: 3\r\n\r\n[0]").utf8))
            #expect(answer.head.first?.hasPrefix("HTTP/1.1 503") == true)
        }
    }
}
