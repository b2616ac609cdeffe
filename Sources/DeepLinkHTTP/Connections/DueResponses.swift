import DeepLinkFormats
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The answers that a connection owes, oldest first, and how far the oldest has got.
///
/// Every answer passes here exactly once when it ends, and is told to the observer.
struct DueResponses {
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

    /// Requests that were let through, also in part, and whose answers have not ended; mostly one.
    private var requests: [RequestHead] = []

    private var progress = Progress.waiting

    /// Whether the newest request is of HTTP/1.0, which knows no chunks.
    private var isOldVersion = false

    init(_ environment: ServiceEnvironment) {
        load = environment.load
        observer = environment.observer
    }

    /// How many answers are due.
    var count: Int { requests.count }

    /// Whether the oldest answer has begun.
    var hasBegun: Bool { if case .waiting = progress { false } else { true } }

    /// Expects an answer to a request.
    mutating func expect(_ head: RequestHead, isOldVersion: Bool) {
        requests.append(head)
        self.isOldVersion = isOldVersion
        load.requestBegan()
    }

    /// Begins the oldest answer: completes its head, and notes whether the connection ends with it.
    mutating func begin(_ head: inout HTTPResponseHead, isLast: Bool) {
        let status = Int(head.status.code)
        progress = isLast ? .begunAsLast(status: status) : .begun(status: status)
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
        observe(head.destination, status, since: head.arrival, head.id)
        return isLast || requests.isEmpty && endsOnceAnswered
    }

    /// Ends the oldest answer, which is given whole.
    ///
    /// - Returns: what it says of the connection.
    mutating func finish(status: Int, isLast: Bool) -> ResponseSerializer.Framing {
        let head = requests.removeFirst()
        observe(head.destination, status, since: head.arrival, head.id)
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
        let id = head?.id ?? newID
        observe(head?.destination, status, since: head?.arrival ?? .now(), id)
        return ResponseSerializer.Framing(id: id, isLast: true, isHead: isHead, isOldVersion: false)
    }

    /// Forgets the answers of a connection that has gone; they are none.
    mutating func abandon() {
        load.requestsEnded(count)
        requests = []
    }

    private func observe(
        _ destination: RequestDestination?,
        _ status: Int,
        since arrival: NIODeadline,
        _ id: String
    ) {
        guard let observer else { return }
        let endpoint = destination?.name ?? "refused"
        observer.answered(
            ObservedResponse(endpoint: endpoint, status: status, duration: .now() - arrival, requestID: id)
        )
    }
}
