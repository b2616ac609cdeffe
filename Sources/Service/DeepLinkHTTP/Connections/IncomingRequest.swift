import DeepLinkFormats
import NIOHTTP1

/// An admitted request that has not arrived whole.
struct IncomingRequest {
    /// The handling of the body as it arrives.
    enum Way {
        /// The body goes to the task that answers.
        case deferred

        /// The body is gathered, for an answer at once.
        case gathered

        /// The body is thrown away, since the request is already answered.
        case dropped
    }

    /// The maximum number of bytes that are read of a request that is answered before its end, to keep its connection.
    private static let maximumDrainByteCount = 64 * 1024

    /// The head, as the server reads it.
    let head: RequestHead

    /// Whether the rest of the request is short enough to wait for.
    let isShort: Bool

    /// The handling of the body.
    var way = Way.dropped

    /// Whether the client waits for `100 Continue`.
    var awaitsContinue: Bool

    init(_ head: RequestHead, length: RequestBodyLength, of version: HTTPVersion) {
        self.head = head
        isShort = if case .bytes(let count) = length { count <= Self.maximumDrainByteCount } else { length == .none }
        awaitsContinue =
            version == .http1_1 && length != .none && head.fields.expect.hasToken("100-continue")
    }
}

extension HTTPRequestHead {
    /// Returns the head that replaces a deferred request's own in Hummingbird's channel, which reads from it only
    /// whether the connection ends.
    static func standIn(closing isClosing: Bool) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: "/",
            headers: isClosing ? ["Connection": "close"] : [:]
        )
    }
}
