package import HTTPTypes
package import HummingbirdCore
package import NIOCore
import Synchronization

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

/// The server's load in numbers, and whether it was asked to stop.
package final class ServerLoad: Sendable {
    private let openConnections = Atomic(0)
    private let openRequests = Atomic(0)
    private let work = Atomic(0)
    private let draining = Atomic(false)
    private let noteRefusal: @Sendable (ServerLimit) -> Void

    /// The maximum number of requests processed at the same time.
    package let maximumWork: Int

    /// The buffered bytes of requests that are still arriving.
    package let arriving: ByteBudget

    /// The maximum duration of a stream of lines.
    package let maximumStreamDuration: Duration

    /// Creates counts of zero.
    ///
    /// - Parameters:
    ///   - maximumWork: the maximum number of requests processed at the same time.
    ///   - maximumArrivingBytes: the maximum number of buffered bytes of requests that are still arriving.
    ///   - maximumStreamDuration: the maximum duration of a stream of lines.
    ///   - noteRefusal: the function called for each request that these limits refuse.
    package init(
        maximumWork: Int,
        maximumArrivingBytes: Int = ByteBudget.defaultLimit,
        maximumStreamDuration: Duration = .seconds(600),
        notingRefusals noteRefusal: @escaping @Sendable (ServerLimit) -> Void = { _ in }
    ) {
        self.maximumWork = maximumWork
        self.maximumStreamDuration = maximumStreamDuration
        self.noteRefusal = noteRefusal
        arriving = ByteBudget(limit: maximumArrivingBytes, notingRefusals: noteRefusal)
    }

    // MARK: Connections

    /// The number of open connections.
    package var openConnectionCount: Int { openConnections.load(ordering: .relaxed) }

    func connectionOpened() { openConnections.add(1, ordering: .relaxed) }

    func connectionClosed() { openConnections.subtract(1, ordering: .relaxed) }

    // MARK: Draining

    /// Whether the server was asked to stop.
    ///
    /// It then finishes the requests that have begun, and reports that it is not ready.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Records that the server was asked to stop.
    package func drain() { draining.store(true, ordering: .relaxed) }

    // MARK: Requests

    /// The number of requests that have begun to arrive and are not answered yet.
    package var openRequestCount: Int { openRequests.load(ordering: .relaxed) }

    func requestBegan() { openRequests.add(1, ordering: .relaxed) }

    func requestEnded() { requestsEnded(1) }

    func requestsEnded(_ count: Int) { openRequests.subtract(count, ordering: .relaxed) }

    // MARK: Work

    /// The number of requests being processed.
    package var workCount: Int { work.load(ordering: .relaxed) }

    /// Begins to process a request that has arrived completely, unless too many requests are being processed.
    ///
    /// - Returns: whether it is processed. If so, ``workEnded()`` must follow.
    package func beginsWork() -> Bool {
        if work.add(1, ordering: .relaxed).oldValue < maximumWork { return true }
        workEnded()
        noteRefusal(.requests)
        return false
    }

    /// Ends the processing of a request.
    package func workEnded() { work.subtract(1, ordering: .relaxed) }
}

/// A limit of the server, which refuses requests.
package enum ServerLimit: Sendable {
    /// The number of requests processed at the same time.
    case requests

    /// The bytes of arriving requests, across all connections.
    case bytes
}

/// The limit for buffered bytes of requests that are still arriving, across all connections.
///
/// A connection is cheap for a client to open and to leave half finished. Without a common limit, ten thousand
/// connections could each buffer the largest body.
package final class ByteBudget: Sendable {
    /// The default limit, in bytes: 64 MiB.
    package static let defaultLimit = 64 << 20

    /// The maximum number of buffered bytes.
    package let limit: Int

    private let noteRefusal: @Sendable (ServerLimit) -> Void

    /// The current number of buffered bytes.
    let taken = Atomic(0)

    /// The current number of buffered bytes.
    package var takenCount: Int { taken.load(ordering: .relaxed) }

    /// Creates an unused budget, and calls a function for each request that it refuses.
    package init(
        limit: Int = defaultLimit,
        notingRefusals noteRefusal: @escaping @Sendable (ServerLimit) -> Void = { _ in }
    ) {
        self.limit = limit
        self.noteRefusal = noteRefusal
    }

    /// Takes bytes from the budget, unless they exceed it.
    ///
    /// - Returns: whether they are taken. If so, ``giveBack(_:)`` must follow.
    package func take(_ count: Int) -> Bool {
        if taken.add(count, ordering: .relaxed).newValue <= limit { return true }
        giveBack(count)
        noteRefusal(.bytes)
        return false
    }

    /// Returns bytes to the budget once they are no longer buffered.
    func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

/// The part of a ``ByteBudget`` taken by one body or connection.
///
/// It is returned when that ends.
package struct ReservedBytes: ~Copyable {
    private let budget: ByteBudget
    private var count = 0

    /// Creates a count of zero.
    package init(of budget: ByteBudget) {
        self.budget = budget
    }

    deinit { budget.giveBack(count) }

    /// Sets the number of buffered bytes.
    ///
    /// - Returns: whether it is within the limit of all connections together. If not, the count is unchanged.
    package mutating func become(_ newCount: Int) -> Bool {
        guard newCount != count else { return true }
        if newCount > count {
            guard budget.take(newCount - count) else { return false }
        } else {
            budget.giveBack(count - newCount)
        }
        count = newCount
        return true
    }
}
