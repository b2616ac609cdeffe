import HTTPTypes
import NIOCore
import NIOHTTP1

/// The responses that a connection owes, oldest first, with the progress of the oldest.
///
/// Each response is reported to the responder exactly once, when it ends.
struct DueResponses: ~Copyable {
    /// The progress of a response.
    private enum Progress {
        /// Nothing is written yet.
        case waiting

        /// Its head is written, and the connection continues after it.
        case begun(status: Int)

        /// Its head is written, and announces that the connection closes after it.
        case begunAsLast(status: Int)
    }

    private let load: ServerLoad
    private let responder: any ConnectionResponder

    /// Whether responses get fields of the responder.
    private let addsFields: Bool

    /// Whether the responder is told whether a response asks for other credentials.
    private let isObserved: Bool

    /// The expected requests, complete or not, without a complete response.
    ///
    /// Mostly there is one.
    private var requests: [RequestHead] = []

    private var progress = Progress.waiting

    /// Whether the head of the oldest response asks for other credentials.
    private var hasChallenge = false

    /// Whether no request has arrived yet.
    ///
    /// A client that has just connected is about to send one.
    private(set) var isFirstDue = true

    /// Whether the newest request uses HTTP/1.0, without chunked encoding.
    private var isOldVersion = false

    init(of responder: any ConnectionResponder, load: ServerLoad) {
        self.responder = responder
        self.load = load
        addsFields = responder.addsFields
        isObserved = responder.isObserved
    }

    /// The number of responses due.
    var count: Int { requests.count }

    /// The id of the newest request, or `nil` if no response is due.
    var newestID: String? { requests.last?.id }

    /// Returns the oldest response with the fields of the responder.
    @inline(__always)
    func withAddedFields(_ response: consuming ServerResponse) -> ServerResponse {
        guard addsFields else { return response }
        let fields = responder.addedFields(for: requests.first, allow: response.fields[.allow])
        return response.adding(fields)
    }

    /// Whether the oldest response has begun.
    var hasBegun: Bool { if case .waiting = progress { false } else { true } }

    /// Expects a response to a request.
    mutating func expect(_ head: RequestHead, isOldVersion: Bool) {
        requests.append(head)
        responder.expect(head)
        isFirstDue = false
        self.isOldVersion = isOldVersion
        load.requestBegan()
    }

    /// Begins the oldest response: completes its head, and records whether the connection closes after it.
    mutating func begin(_ head: inout HTTPResponseHead, isLast: Bool) {
        let status = Int(head.status.code)
        hasChallenge = isObserved && head.headers.contains(name: "WWW-Authenticate")
        progress = isLast ? .begunAsLast(status: status) : .begun(status: status)
        if addsFields {
            let fields = responder.addedFields(for: requests.first, allow: head.headers.first(name: "Allow"))
            for field in fields { head.headers.add(name: field.name.rawName, value: field.value) }
        }
        if let id = requests.first?.id { head.headers.add(name: "X-Request-Id", value: id) }
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if count == 1, isOldVersion, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
    }

    /// Ends the oldest response.
    ///
    /// - Parameter endsOnceAnswered: whether the connection closes once no response is due.
    /// - Returns: whether the connection closes after this response.
    mutating func finish(endsOnceAnswered: Bool) -> Bool {
        guard !requests.isEmpty else { return endsOnceAnswered }
        let head = requests.removeFirst()
        let (status, isLast) =
            switch progress {
            case .waiting: (0, false)
            case .begun(let status): (status, false)
            case .begunAsLast(let status): (status, true)
            }
        progress = .waiting
        responder.answered(head, status: status, hasChallenge: hasChallenge)
        return isLast || requests.isEmpty && endsOnceAnswered
    }

    /// Ends the oldest response with a complete one.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - isLast: whether the connection closes after it.
    /// - Returns: the framing of the response.
    mutating func finish(_ response: borrowing ServerResponse, isLast: Bool) -> ResponseSerializer.Framing {
        let head = requests.count == 1 ? requests.removeLast() : requests.removeFirst()
        responder.answered(
            head,
            status: response.status.code,
            hasChallenge: isObserved && response.fields[.wwwAuthenticate] != nil
        )
        return ResponseSerializer.Framing(
            id: head.id,
            isLast: isLast,
            isHead: head.method == .head,
            isOldVersion: isOldVersion && requests.isEmpty
        )
    }

    /// Ends the last response with a refusal of an incomplete request, or of bytes that aren't a request.
    ///
    /// The latter get the new id.
    mutating func refuse(status: Int, isHead: Bool, newID: String) -> ResponseSerializer.Framing {
        let head = requests.popLast()
        if head != nil { load.requestEnded() }
        responder.refused(head, status: status, newID: newID)
        return ResponseSerializer.Framing(id: head?.id ?? newID, isLast: true, isHead: isHead, isOldVersion: false)
    }

    /// Drops the responses of a closed connection, without reporting them.
    mutating func abandon() {
        load.requestsEnded(count)
        requests = []
        responder.abandon()
    }
}

/// The known end of a connection.
///
/// Each case but the first excludes the cases before it.
enum ConnectionEnding {
    /// No end is known.
    case open

    /// The connection closes after the response to the newest admitted request.
    case afterNewest

    /// The connection closes after a refusal, once all earlier requests are answered. The response to `HEAD` omits the
    /// body.
    case refused(RequestFault, isHead: Bool)

    /// The last response is written.
    case done

    /// Whether no end is known.
    var isOpen: Bool { if case .open = self { true } else { false } }

    /// Whether input is still read, at least the rest of a request.
    var readsOn: Bool {
        switch self {
        case .open, .afterNewest: true
        case .refused, .done: false
        }
    }

    /// Whether the last response is written.
    var isDone: Bool { if case .done = self { true } else { false } }
}

/// The responses of a connection from the event loop that are not sent yet.
final class ResponseBuffer {
    /// The number of bytes to buffer before checking whether the client reads them.
    private static let maximumByteCount = 32 * 1024

    private let framer: RequestFramingHandler
    private let load: ServerLoad
    /// Returns the time in seconds since 1970.
    private let now: @Sendable () -> Int64
    private var serializer = ResponseSerializer()
    private var bytes = ByteBuffer()

    /// Whether the bytes were passed on.
    ///
    /// Their memory is reused once they are sent, shortly afterwards.
    private var areHandedOver = false

    /// The number of buffered responses.
    private(set) var count = 0

    init(_ framer: RequestFramingHandler, load: ServerLoad, now: @escaping @Sendable () -> Int64) {
        self.framer = framer
        self.load = load
        self.now = now
    }

    /// Whether enough bytes are buffered to pass them on.
    var areMany: Bool { !areHandedOver && bytes.readableBytes >= Self.maximumByteCount }

    /// Adds a response to a request that counts as in progress.
    func append(_ response: ServerResponse, framing: ResponseSerializer.Framing) {
        appendRefusal(response, framing: framing)
        count += 1
    }

    /// Adds a response to a request that counts as ended, or to bytes that aren't a request.
    func appendRefusal(_ response: ServerResponse, framing: ResponseSerializer.Framing) {
        if areHandedOver {
            areHandedOver = false
            bytes.clear()
        }
        serializer.write(response, framing: framing, at: now(), to: &bytes)
    }

    /// Passes the bytes on to be sent before anything else.
    func handOver() {
        guard !areHandedOver, bytes.readableBytes > 0 else { return }
        framer.send(bytes)
        // The memory of a large response is not kept for small ones.
        if bytes.capacity > Self.maximumByteCount { bytes = ByteBuffer() } else { areHandedOver = true }
    }

    /// Sends the responses.
    ///
    /// They count as in progress until they are sent, unless they are short.
    ///
    /// - Parameter isLast: whether the connection closes once they are sent.
    /// - Returns: a future of the write, or `nil` if it is already done.
    @discardableResult func flush(isLast: Bool = false) -> EventLoopFuture<Void>? {
        handOver()
        let (count, load) = (count, load)
        self.count = 0
        guard let isSent = framer.flush(isLast: isLast) else {
            load.requestsEnded(count)
            return nil
        }
        isSent.whenComplete { _ in load.requestsEnded(count) }
        return isSent
    }
}
