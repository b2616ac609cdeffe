import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The responses that a connection owes, oldest first, with the progress of the oldest.
///
/// Each response is reported to the observer exactly once, when it ends.
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
    private let observer: (any ResponseObserver)?

    /// Whether there is an observer.
    ///
    /// Reading the observer itself would count references.
    private let isObserved: Bool
    private let metrics: ServiceMetrics?
    private let crossOrigins: CrossOriginRules?
    private let catalog: LiveCatalog

    /// The admitted requests, complete or not, without a complete response.
    ///
    /// Mostly there is one.
    private var requests: [RequestHead] = []

    /// The deferred requests among them, in the same order.
    private var deferred: [DeferredRequest] = []

    private var progress = Progress.waiting

    /// Whether the head of the oldest response asks for other credentials.
    private var hasChallenge = false

    /// The metric series in which the responses so far are counted.
    private var series = KnownAnswerSeries()

    /// Whether no request has arrived yet.
    ///
    /// A client that has just connected is about to send one.
    private(set) var isFirstDue = true

    /// Whether the newest request uses HTTP/1.0, without chunked encoding.
    private var isOldVersion = false

    init(with services: ConnectionServices) {
        load = services.load
        observer = services.observer
        isObserved = services.observer != nil
        metrics = services.metrics
        crossOrigins = services.admission.crossOrigins
        catalog = services.admission.catalog
    }

    /// The number of responses due.
    var count: Int { requests.count }

    /// Returns the oldest response with the fields that let pages of other origins read it, if they may.
    @inline(__always)
    func forOtherOrigins(_ response: consuming EndpointResponse) -> EndpointResponse {
        guard let crossOrigins else { return response }
        let fields = crossOrigins.fields(
            for: requests.first,
            allow: response.fields[.allow],
            takesHolds: catalog.wantedFields.contains(.holds)
        )
        return response.adding(fields)
    }

    /// Whether the oldest response has begun.
    var hasBegun: Bool { if case .waiting = progress { false } else { true } }

    /// Expects a response to a request.
    mutating func expect(_ head: RequestHead, isOldVersion: Bool) {
        requests.append(head)
        isFirstDue = false
        self.isOldVersion = isOldVersion
        load.requestBegan()
    }

    /// Expects the response to the newest request from a task.
    mutating func deferNewest(_ request: DeferredRequest) { deferred.append(request) }

    /// Begins the oldest response: completes its head, and records whether the connection closes after it.
    mutating func begin(_ head: inout HTTPResponseHead, isLast: Bool) {
        let status = Int(head.status.code)
        hasChallenge = isObserved && head.headers.contains(name: "WWW-Authenticate")
        progress = isLast ? .begunAsLast(status: status) : .begun(status: status)
        crossOrigins?
            .complete(
                &head.headers,
                for: requests.first,
                takesHolds: catalog.wantedFields.contains(.holds)
            )
        if let id = requests.first?.id { head.headers.add(name: "X-Request-Id", value: id) }
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if count == 1, isOldVersion, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
    }

    /// Ends the oldest response.
    ///
    /// - Parameters:
    ///   - endsOnceAnswered: whether the connection closes once no response is due.
    ///   - peer: the peer of the connection.
    /// - Returns: whether the connection closes after this response.
    mutating func finish(endsOnceAnswered: Bool, from peer: @autoclosure () -> SocketAddress?) -> Bool {
        guard !requests.isEmpty else { return endsOnceAnswered }
        let head = requests.removeFirst()
        let (status, isLast) =
            switch progress {
            case .waiting: (0, false)
            case .begun(let status): (status, false)
            case .begunAsLast(let status): (status, true)
            }
        progress = .waiting
        let note = deferred.isEmpty ? nil : deferred.removeFirst().note
        let hasChallenge = hasChallenge
        observe(head, status: status, note: note, from: peer(), hasChallenge: hasChallenge)
        return isLast || requests.isEmpty && endsOnceAnswered
    }

    /// Ends the oldest response with a complete one.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - isLast: whether the connection closes after it.
    ///   - note: the note of the request's admission.
    ///   - peer: the peer of the connection.
    /// - Returns: the framing of the response.
    mutating func finish(
        _ response: EndpointResponse,
        isLast: Bool,
        note: AdmissionNote?,
        from peer: @autoclosure () -> SocketAddress?
    ) -> ResponseSerializer.Framing {
        let head = requests.count == 1 ? requests.removeLast() : requests.removeFirst()
        observe(
            head,
            status: response.status.code,
            note: note,
            from: peer(),
            hasChallenge: response.fields[.wwwAuthenticate] != nil
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
        observe(head, status: status, note: nil, from: nil, hasChallenge: false, newID: newID)
        return ResponseSerializer.Framing(id: head?.id ?? newID, isLast: true, isHead: isHead, isOldVersion: false)
    }

    /// Drops the responses of a closed connection, without reporting them.
    mutating func abandon() {
        load.requestsEnded(count)
        requests = []
        deferred = []
    }

    private mutating func observe(
        _ head: RequestHead?,
        status: Int,
        note: AdmissionNote?,
        from peer: @autoclosure () -> SocketAddress?,
        hasChallenge: @autoclosure () -> Bool,
        newID: String = ""
    ) {
        guard isObserved || metrics != nil else { return }
        let duration = head.map { .now() - $0.arrival } ?? .zero
        if let metrics { series.note(head, status: status, duration: duration, in: metrics) }
        guard isObserved else { return }
        // A denied link has the same status as a refused caller, but is not one.
        let isRefused = status == 429 || (status == 401 || status == 403) && hasChallenge()
        observer?
            .answered(
                ObservedResponse(
                    method: head?.method.rawValue ?? "",
                    endpoint: head?.destination.endpoint.name ?? "refused",
                    template: head?.destination.endpoint.path ?? "refused",
                    status: status,
                    duration: duration,
                    caller: note?.caller,
                    catalogVersion: note?.catalogVersion ?? catalog.current.version,
                    requestID: head?.id ?? newID,
                    traceParent: head?.fields.traceParent,
                    refusedAddress: isRefused
                        ? CallerAddress.text(ofCaller: peer(), forwardedFor: head?.fields.forwardedFor) : nil
                )
            )
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
    case refused(Problem, isHead: Bool)

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
