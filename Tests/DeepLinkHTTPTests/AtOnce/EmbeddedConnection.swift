import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import DeepLinkHTTP

/// One connection without a socket, whose Hummingbird is the test: what comes of each piece of bytes is seen at once.
final class EmbeddedConnection {
    /// What came of some bytes.
    struct Outcome: Equatable {
        /// The statuses of what was answered on the spot.
        var answered: [Int] = []

        /// The targets of the requests that were passed on to Hummingbird.
        var passedOn: [String] = []
    }

    let channel = EmbeddedChannel()

    /// What was passed on of bodies.
    private(set) var passedOnBody = ""

    init(_ environment: ServiceEnvironment) throws {
        try ExchangeHandler.add(to: channel.pipeline.syncOperations, TestServer.patient, environment) { _ in }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

    /// Sends bytes in one piece.
    func send(_ text: String) throws -> Outcome { try send(Array(text.utf8)) }

    /// Sends bytes in one piece.
    func send(_ bytes: some Sequence<UInt8>) throws -> Outcome {
        let (text, passedOn) = try sendAll(bytes)
        let answered = text.matches(of: /HTTP\/1\.1 (\d\d\d)/).compactMap { Int($0.1) }
        return Outcome(answered: answered, passedOn: passedOn)
    }

    /// Sends bytes in one piece; returns what was answered, and the targets of what was passed on.
    func sendAll(_ bytes: some Sequence<UInt8>) throws -> (text: String, passedOn: [String]) {
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        let text = try received()
        var targets: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { targets.append(head.uri) }
            if case .body(let body) = part { passedOnBody += String(buffer: body) }
        }
        return (text, targets)
    }

    /// Everything that was sent to the client since it was last asked for.
    func received() throws -> String {
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        return text
    }

    /// Answers the oldest request that was passed on.
    func answer() throws {
        let head = HTTPResponseHead(version: .http1_1, status: .accepted, headers: ["Content-Length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        _ = try received()
    }
}
