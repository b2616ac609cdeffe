import NIOCore
import Testing

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks when connections are closed that are silent or slow, by a clock that the tests move.
@Suite struct ConnectionTimeoutsTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let post = "POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    private static let batch =
        "POST /v1/resolve/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

    /// A connection with the limits of the service: 30 seconds of silence, 10 for a request.
    private static func connection() throws -> EmbeddedConnection {
        try EmbeddedConnection(try TestServer.service(), limits: ConnectionLimits())
    }

    /// Sends a text every half second, for two minutes at most; returns how many seconds the connection lasted.
    private func seconds(of connection: EmbeddedConnection, sending text: String) throws -> Double {
        for count in 1...240 {
            guard connection.pass(.milliseconds(500)) else { return Double(count) / 2 }
            _ = try connection.sendAll(text.utf8)
        }
        return .infinity
    }

    @Test(arguments: ["", get, get + get])
    func `a connection that is silent is closed after 30 seconds`(_ start: String) throws {
        let connection = try Self.connection()
        if !start.isEmpty { #expect(try connection.send(start).answered.first == 200) }
        #expect(connection.pass(.seconds(29)))
        #expect(!connection.pass(.seconds(1)))
    }

    @Test func `a connection that asks now and then stays open`() throws {
        let connection = try Self.connection()
        for _ in 0..<20 {
            #expect(connection.pass(.seconds(25)))
            #expect(try connection.send(Self.get).answered == [200])
        }
    }

    @Test(arguments: [
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ", "a"), (post + "Content-Length: 1000\r\n\r\n", "a"),
        (post + "Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"), ("", "\r\n"), (batch, "1\r\n \r\n"),
    ])
    func `a request that drips is cut off within 20 seconds`(_ start: String, _ drop: String) throws {
        let connection = try Self.connection()
        _ = try connection.sendAll((Self.get + start).utf8)
        // The one timer of a connection is looked at every 10 seconds at least, and a request has 10.
        #expect((10...20).contains(try seconds(of: connection, sending: drop)))
    }

    @Test func `a batch may last as long as its lines keep coming`() throws {
        let connection = try Self.connection()
        _ = try connection.sendAll(Self.batch.utf8)
        #expect(try seconds(of: connection, sending: Self.chunk("{}\n")) == .infinity)
        // Once they do not, the next has the time of a request.
        #expect((10...20).contains(try seconds(of: connection, sending: Self.chunk(" "))))
    }
}
