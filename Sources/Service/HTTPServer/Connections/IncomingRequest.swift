import HTTPTypes
import NIOHTTP1

/// An admitted request that is still arriving.
struct IncomingRequest {
    /// The handling of the body as it arrives.
    enum Way {
        /// The body goes to the responding task.
        case deferred

        /// The body is buffered, for a response on the event loop.
        case gathered

        /// The body is discarded, since the request is already answered.
        case dropped
    }

    /// The maximum number of bytes read from a request that is answered early, so that its connection can be kept.
    private static let maximumDrainByteCount = 64 * 1024

    let head: RequestHead

    /// Whether the rest of the request is short enough to wait for.
    let isShort: Bool

    /// The handling of the body.
    var way = Way.dropped

    /// Whether the client expects `100 Continue`.
    var awaitsContinue: Bool

    init(_ head: RequestHead, length: RequestBodyLength, of version: HTTPVersion) {
        self.head = head
        isShort = if case .bytes(let count) = length { count <= Self.maximumDrainByteCount } else { length == .none }
        awaitsContinue =
            version == .http1_1 && length != .none && head.fields.expect.hasToken("100-continue")
    }
}

extension HTTPRequestHead {
    /// Returns the head that replaces a deferred request's own in Hummingbird's channel.
    ///
    /// The channel reads from it only whether the connection closes.
    static func standIn(closing isClosing: Bool) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: "/",
            headers: isClosing ? ["Connection": "close"] : [:]
        )
    }
}

extension RequestFault {
    /// Creates the fault of bytes that SwiftNIO's parser cannot read.
    init(_ fault: HTTPParserError) {
        self =
            switch fault {
            case .headerOverflow: .framing(.headTooLong)
            default: .unreadable(reason: "\(fault)")
            }
    }
}

extension RequestHead {
    /// Creates a head from SwiftNIO's, whose target is rewritten to begin with a slash.
    ///
    /// - Parameters:
    ///   - parsed: the head as parsed.
    ///   - responder: the responder of the connection, which finds the resource.
    ///   - names: the names of the application's own fields.
    ///   - id: returns the id of the request, given the `X-Request-Id` fields.
    /// - Throws: ``RequestFault``, after which the connection must be closed.
    convenience init(
        _ parsed: inout HTTPRequestHead,
        for responder: any ConnectionResponder,
        own names: OwnFieldNames,
        id: (FieldValues) -> String
    ) throws(RequestFault) {
        let wanted = responder.wantedFields(for: parsed.uri.utf8Span.span)
        let fields = try RequestHeadRules.apply(to: &parsed, wanted: wanted, own: names)
        let method = try RequestHeadRules.method(of: parsed)
        let id = id(fields.requestID)
        let pathByteCount = RequestHead.pathByteCount(of: parsed.uri)
        let form = responder.route(parsed.uri, pathByteCount: pathByteCount, by: method, fields: fields)
        guard form.needsNoHost || fields.host.count > 0 else { throw .host(.missing) }
        self.init(
            method,
            target: parsed.uri,
            pathByteCount: pathByteCount,
            fields: fields,
            takesLines: form.takesLines,
            id: id
        )
    }
}
