import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The answers that a connection owes, oldest first, and how far the oldest has got.
///
/// Every answer passes here exactly once when it ends, and is told to the observer.
struct DueResponses: ~Copyable {
    /// How far an answer has got.
    private enum Progress {
        /// Nothing of it is written.
        case waiting

        /// Its head is written, and the connection goes on after it.
        case begun(status: Int)

        /// Its head is written, and says that the connection ends with it.
        case begunAsLast(status: Int)
    }

    private let load: ServerLoad
    private let observer: (any ResponseObserver)?

    /// Whether there is an observer: asking the observer itself counts references.
    private let isObserved: Bool
    private let metrics: ServiceMetrics?
    private let crossOrigins: CrossOriginRules?
    private let catalog: LiveCatalog

    /// Requests that were let through, also in part, and whose answers have not ended; mostly one.
    private var requests: [RequestHead] = []

    private var progress = Progress.waiting

    /// Where the answers so far are counted.
    private var series = KnownAnswerSeries()

    /// What the router noted of the request that it answers; `nil` before, and where nobody observes.
    var routed: AdmissionNote?

    /// Whether no request has come yet: whoever has just connected is about to ask.
    private(set) var isFirstDue = true

    /// Whether the newest request is of HTTP/1.0, which knows no chunks.
    private var isOldVersion = false

    init(_ environment: ServiceEnvironment) {
        load = environment.load
        observer = environment.observer
        isObserved = environment.observer != nil
        metrics = environment.metrics
        crossOrigins = environment.crossOrigins
        catalog = environment.catalog
    }

    /// How many answers are due.
    var count: Int { requests.count }

    /// Lets pages of other origins read the oldest answer, where they may.
    func forOtherOrigins(_ response: EndpointResponse) -> EndpointResponse {
        guard let crossOrigins else { return response }
        return response.adding(crossOrigins.fields(for: requests.first, allow: response.fields[.allow]))
    }

    /// Whether the oldest answer has begun.
    var hasBegun: Bool { if case .waiting = progress { false } else { true } }

    /// Expects an answer to a request.
    mutating func expect(_ head: RequestHead, isOldVersion: Bool) {
        requests.append(head)
        isFirstDue = false
        self.isOldVersion = isOldVersion
        load.requestBegan()
    }

    /// Begins the oldest answer: completes its head, and notes whether the connection ends with it.
    mutating func begin(_ head: inout HTTPResponseHead, isLast: Bool) {
        let status = Int(head.status.code)
        progress = isLast ? .begunAsLast(status: status) : .begun(status: status)
        crossOrigins?.complete(&head.headers, for: requests.first)
        if let id = requests.first?.id { head.headers.add(name: "X-Request-Id", value: id) }
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if count == 1, isOldVersion, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
    }

    /// Ends the oldest answer.
    ///
    /// - Returns: whether the connection ends with it, given whether it does once nothing is due.
    mutating func finish(_ endsOnceAnswered: Bool) -> Bool {
        guard !requests.isEmpty else { return endsOnceAnswered }
        let head = requests.removeFirst()
        let (status, isLast) =
            switch progress {
            case .waiting: (0, false)
            case .begun(let status): (status, false)
            case .begunAsLast(let status): (status, true)
            }
        progress = .waiting
        observe(head, status, routed)
        routed = nil
        return isLast || requests.isEmpty && endsOnceAnswered
    }

    /// Ends the oldest answer, which is given whole.
    ///
    /// - Returns: what it says of the connection.
    mutating func finish(status: Int, isLast: Bool, _ note: AdmissionNote?) -> ResponseSerializer.Framing {
        let head = requests.removeFirst()
        observe(head, status, note)
        return ResponseSerializer.Framing(
            id: head.id,
            isLast: isLast,
            isHead: head.method == .head,
            isOldVersion: isOldVersion && requests.isEmpty
        )
    }

    /// Ends the last answer, which is a refusal of the connection: of a request that is still arriving, or of bytes that
    /// are none, which get the new id.
    mutating func refuse(status: Int, isHead: Bool, newID: String) -> ResponseSerializer.Framing {
        let head = requests.popLast()
        if head != nil { load.requestEnded() }
        observe(head, status, nil, newID)
        return ResponseSerializer.Framing(id: head?.id ?? newID, isLast: true, isHead: isHead, isOldVersion: false)
    }

    /// Forgets the answers of a connection that has gone; they are none.
    mutating func abandon() {
        load.requestsEnded(count)
        requests = []
    }

    private mutating func observe(_ head: RequestHead?, _ status: Int, _ note: AdmissionNote?, _ newID: String = "") {
        guard isObserved || metrics != nil else { return }
        let duration = head.map { .now() - $0.arrival } ?? .zero
        let template = head?.destination.template ?? "refused"
        if let metrics {
            series.note(AnswerLabels(status: status, method: head?.method, endpoint: template), duration, in: metrics)
        }
        guard isObserved else { return }
        observer?
            .answered(
                ObservedResponse(
                    method: head?.method.rawValue ?? "",
                    endpoint: head?.destination.name ?? "refused",
                    template: template,
                    status: status,
                    duration: duration,
                    caller: note?.caller,
                    catalogVersion: note?.catalogVersion ?? catalog.current.version,
                    requestID: head?.id ?? newID,
                    traceParent: head?.fields.traceParent
                )
            )
    }
}
