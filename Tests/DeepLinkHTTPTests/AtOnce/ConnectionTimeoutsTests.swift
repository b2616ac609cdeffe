import Logging
import NIOCore
import NIOEmbedded
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

    @Test func `a client that waits for its answer is not silent`() throws {
        let store = RemoteStore(isSlow: true)
        let connection = try EmbeddedConnection(try TestServer.service(store: store), limits: ConnectionLimits())
        let target = "/v1/resolve?link=navigation%3A%2Fsettings&user=ada"
        #expect(try connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n") == .init())
        for _ in 0..<12 { #expect(connection.pass(.seconds(10))) }
        store.complete()
        #expect(try connection.received().contains("HTTP/1.1 403 "))
        #expect(connection.pass(.seconds(29)))
        #expect(!connection.pass(.seconds(1)))
    }

    @Test func `a request that has waited for a place for 30 seconds is refused`() throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let load = ServerLoad(maximumWork: 1)
        let connections = CountedConnections(load: load, maximumCount: 0, hasReserve: true, logger: logger)
        let channel = EmbeddedChannel()
        connections.connectionOpened()
        #expect(!connections.place(channel))
        let handler = WaitingConnectionHandler(
            for: connections,
            of: try TestServer.service().connections,
            limits: ConnectionLimits(),
            addingHandlers: { _ in }
        )
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(string: "GET /v1/users HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        let answer = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: answer).hasPrefix("HTTP/1.1 503 "))
        #expect(!channel.isActive)
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
