package import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// The application of a server, shared by its connections.
package protocol ServerApplication: AnyObject, Sendable {
    /// The server's load, and whether it is about to stop.
    var load: ServerLoad { get }

    /// The names of the header fields that only the application reads.
    var ownFields: OwnFieldNames { get }

    /// The paths of a supervisor's requests, which are answered even on a connection without a place.
    var supervisedPaths: [String] { get }

    /// The current time, in seconds since 1970.
    var secondsSinceEpoch: Int64 { get }

    /// Creates the responder of a connection.
    func makeResponder() -> any ConnectionResponder

    /// Returns the response to a request that the server refuses, or to bytes that aren't one.
    func response(to fault: RequestFault, id: String) -> ServerResponse
}

/// The application's side of a connection, on its event loop.
///
/// It learns of each request in turn, in this order: ``route(_:pathByteCount:by:fields:)`` before the head is complete,
/// ``expect(_:)``, one of ``begin(_:length:whole:)`` and ``deferring(_:)``, and ``answered(_:status:hasChallenge:)``.
/// Responses end in the order of their requests.
package protocol ConnectionResponder: AnyObject {
    /// Whether the address of the peer is needed.
    var wantsPeer: Bool { get }

    /// The peer of the connection, once it is known.
    var peer: SocketAddress? { get set }

    /// Whether responses get fields by ``addedFields(for:allow:)``.
    var addsFields: Bool { get }

    /// Whether the end of responses is observed, so that ``answered(_:status:hasChallenge:)`` is told of challenges.
    var isObserved: Bool { get }

    /// Returns the fields of a request to read in addition to the ones always read.
    ///
    /// - Parameter target: the target, which is not checked yet.
    /// - Returns: the fields.
    func wantedFields(for target: Span<UInt8>) -> RequestFields.Wanted

    /// Finds the resource for a request, and returns how its request is read.
    func route(
        _ target: String,
        pathByteCount: Int,
        by method: HTTPRequest.Method,
        fields: borrowing RequestFields
    ) -> RequestForm

    /// Records that a response is due to the request that was routed last.
    func expect(_ head: RequestHead)

    /// Begins to answer the newest request.
    ///
    /// - Parameters:
    ///   - head: the head.
    ///   - length: the length of the body.
    ///   - body: the body, if it has arrived completely and is short enough.
    /// - Returns: the next step. With a given body, it is never to read more.
    func begin(_ head: RequestHead, length: RequestBodyLength, whole body: ByteBuffer?) -> ResponseStep

    /// Defers the newest request without looking at it, because others precede it.
    func deferring(_ head: RequestHead) -> any DeferredRequest

    /// The number of buffered bytes of a body.
    var keptByteCount: Int { get }

    /// Buffers a part of the body.
    ///
    /// If the step is to pass the request to a task, ``takeKeptBytes()`` returns the bytes before the part.
    func take(_ part: ByteBuffer) -> ResponseStep

    /// Answers a request with a body that has arrived completely.
    func end() -> ResponseStep

    /// Removes and returns the buffered bytes of a body.
    func takeKeptBytes() -> [UInt8]

    /// Returns fields to add to the response to a request, or to bytes that aren't one.
    ///
    /// - Parameters:
    ///   - head: the head of the request.
    ///   - methods: the response's `Allow`.
    /// - Returns: the fields.
    func addedFields(for head: RequestHead?, allow methods: String?) -> HTTPFields

    /// Records that the response to the oldest request has ended.
    func answered(_ head: RequestHead, status: Int, hasChallenge: Bool)

    /// Records that the server itself has refused the newest request, or bytes that aren't one, which get the new id.
    func refused(_ head: RequestHead?, status: Int, newID: String)

    /// Drops the requests of a closed connection.
    func abandon()
}

/// The next step for a request.
package enum ResponseStep {
    /// Send a response, even if more of the request is still to come.
    case respond(ServerResponse)

    /// Wait for the response to a request that has arrived whole, with a body of so many bytes.
    case wait(byteCount: Int, response: @Sendable () async -> ServerResponse)

    /// Read more of the body.
    case readBody

    /// Pass the request to a task.
    case `defer`(any DeferredRequest)
}

/// A request that its connection passes to a task, with the parsed head.
package protocol DeferredRequest: AnyObject, Sendable {
    /// The head of the request.
    var head: RequestHead { get }

    /// Whether the response is written once it is complete, after the whole request was read.
    var isAnsweredWhole: Bool { get }

    /// Returns the response to the request.
    func response(body: RequestBody) async -> ServerResponse
}
