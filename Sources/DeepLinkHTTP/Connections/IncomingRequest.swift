import NIOHTTP1

/// Is a request whose head was let through, as long as it has not arrived whole.
struct IncomingRequest {
    /// The most bytes that are read, to keep a connection, of a request that is answered before its end.
    private static let maximumDrainByteCount = 64 * 1024

    /// Whether its rest is short enough to be waited for.
    let isShort: Bool

    /// Whether its body is lines.
    let hasLines: Bool

    /// Whether it waits for `100 Continue`.
    var awaitsContinue: Bool

    init(_ head: HTTPRequestHead, _ length: RequestBodyLength) {
        isShort = if case .bytes(let count) = length { count <= Self.maximumDrainByteCount } else { length == .none }
        hasLines = RequestHeadRules.isBatch(head.uri)
        awaitsContinue =
            head.version == .http1_1 && length != .none && head.headers.hasToken("100-continue", in: "Expect")
    }
}
