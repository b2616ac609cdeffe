import DeepLinkFormats
import NIOHTTP1

/// A request whose head was let through, as long as it has not arrived whole.
struct IncomingRequest {
    /// What becomes of the body as it comes.
    enum Way {
        /// It is handed to Hummingbird.
        case passedOn

        /// It is gathered, to be answered at once.
        case gathered

        /// It is thrown away, since the request is answered.
        case dropped
    }

    /// The most bytes that are read, to keep a connection, of a request that is answered before its end.
    private static let maximumDrainByteCount = 64 * 1024

    /// The head, as the server reads it.
    let head: RequestHead

    /// Whether the rest of the request is short enough to be waited for.
    let isShort: Bool

    /// What becomes of the body.
    var way = Way.dropped

    /// Whether the client waits for `100 Continue`.
    var awaitsContinue: Bool

    private let parsed: HTTPRequestHead

    init(_ parsed: HTTPRequestHead, _ head: RequestHead, _ length: RequestBodyLength) {
        self.parsed = parsed
        self.head = head
        isShort = if case .bytes(let count) = length { count <= Self.maximumDrainByteCount } else { length == .none }
        awaitsContinue =
            parsed.version == .http1_1 && length != .none && head.fields.expect.hasToken("100-continue")
    }

    /// The head as Hummingbird gets it: with the id of the request, with the one spelling that it knows of a connection
    /// that ends, and with the version that it does not keep, as `Via` has it (RFC 9110 §7.6.3).
    func headToPassOn(closing isClosing: Bool) -> HTTPRequestHead {
        var parsed = parsed
        parsed.headers.replaceOrAdd(name: "X-Request-Id", value: head.id)
        if parsed.version != .http1_1 {
            parsed.headers.add(name: "Via", value: "\(parsed.version.major).\(parsed.version.minor) client")
        }
        if isClosing { parsed.headers.replaceOrAdd(name: "Connection", value: "close") }
        return parsed
    }
}
