import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
package import HTTPServer
import HTTPTypes
package import Logging
import NIOCore

/// The responder on the event loop.
///
/// It admits each request of a connection, and answers requests with at most a short body that wait for nothing but a
/// user's level.
///
/// It defers the others to a ``TaskResponder``, with the results of their admission.
final class EventLoopResponder: ConnectionResponder {
    /// A request with a body that is being buffered.
    private struct Gathered {
        let head: RequestHead
        let admitted: AdmittedRequest
        var body: [UInt8] = []
    }

    /// A request without a complete response, as far as observers need it.
    private struct DueRequest {
        let endpoint: Endpoint

        /// The request as a task gets it, or `nil` if it is answered here.
        var postponed: PostponedRequest?
    }

    /// The maximum size of a body that is read here, in bytes.
    ///
    /// Requests with longer ones may also take longer to answer.
    static let maximumBodyByteCount = 64 * 1024

    private let services: ConnectionServices
    private let metrics: ServiceMetrics?
    private var admission: RequestAdmission
    private var gathered: Gathered?

    /// The endpoint of the newest request.
    private var destination = RequestDestination(endpoint: .reserved)

    /// The requests without a complete response, oldest first.
    private var due: [DueRequest] = []

    /// The metric series in which the responses so far are counted.
    private var series = ResponseSeriesCache()

    let addsFields: Bool
    let isObserved: Bool

    init(with services: ConnectionServices) {
        self.services = services
        metrics = services.metrics
        addsFields = services.admission.crossOrigins != nil
        isObserved = services.observer != nil
        admission = RequestAdmission(by: services.admission, notesCallers: services.observer != nil)
    }

    var wantsPeer: Bool { services.wantsAddresses }

    var peer: SocketAddress? {
        get { admission.peer }
        set { admission.peer = newValue }
    }

    // MARK: Requests

    func wantedFields(for target: Span<UInt8>) -> RequestFields.Wanted {
        services.wantedFields.union(.users).onTheWay(to: target)
    }

    func route(
        _ target: String,
        pathByteCount: Int,
        by method: HTTPRequest.Method,
        fields: borrowing RequestFields
    ) -> RequestForm {
        destination = services.endpoints.destination(of: target, pathByteCount: pathByteCount, by: method)
        let endpoint = destination.endpoint
        let needsNoHost = if case .any = endpoint.hosts { true } else { false }
        return RequestForm(takesLines: endpoint.takesLines(declaredBy: fields), needsNoHost: needsNoHost)
    }

    func expect(_ head: RequestHead) { due.append(DueRequest(endpoint: destination.endpoint)) }

    func deferring(_ head: RequestHead) -> any DeferredRequest { postponed(head, admitted: nil, note: nil) }

    func begin(_ head: RequestHead, length: RequestBodyLength, whole body: ByteBuffer?) -> ResponseStep {
        do throws(Problem) {
            let endpoint = destination.endpoint
            guard case .admitted(let admitted) = try admission.verdict(on: head, to: endpoint) else {
                return .defer(postponed(head, admitted: nil, note: nil))
            }
            if case .later = endpoint.handler { return postponing(head, as: admitted) }
            switch (endpoint.body, length) {
            case (.none, .none): return respond(to: head, as: admitted, body: [])
            case (.object, .none):
                try MediaType.json.require(of: head.fields.contentType, encoded: head.fields.contentEncoding)
                return respond(to: head, as: admitted, body: [])
            case (.object, .bytes(let count)) where count > Self.maximumBodyByteCount:
                return postponing(head, as: admitted)
            case (.object, .bytes), (.object, .chunked):
                try MediaType.json.require(of: head.fields.contentType, encoded: head.fields.contentEncoding)
                if let body { return respond(to: head, as: admitted, body: [UInt8](buffer: body)) }
                gathered = Gathered(head: head, admitted: admitted)
                return .readBody
            default: return postponing(head, as: admitted)
            }
        } catch {
            return .respond(EndpointResponse(error.identified(by: head.id)))
        }
    }

    var keptByteCount: Int { gathered?.body.count ?? 0 }

    func take(_ part: ByteBuffer) -> ResponseStep {
        guard let request = gathered else { return .readBody }
        guard request.body.count + part.readableBytes <= Self.maximumBodyByteCount else {
            return postponing(request.head, as: request.admitted)
        }
        gathered?.body.append(contentsOf: part.readableBytesView)
        return .readBody
    }

    func end() -> ResponseStep {
        guard let request = gathered else { return .readBody }
        gathered = nil
        return respond(to: request.head, as: request.admitted, body: request.body)
    }

    func takeKeptBytes() -> [UInt8] {
        defer { gathered = nil }
        return gathered?.body ?? []
    }

    private func postponing(_ head: RequestHead, as admitted: AdmittedRequest) -> ResponseStep {
        .defer(postponed(head, admitted: admitted, note: admission.note))
    }

    private func postponed(_ head: RequestHead, admitted: AdmittedRequest?, note: AdmissionResult?) -> PostponedRequest
    {
        let request = PostponedRequest(
            head,
            to: destination,
            admitted: admitted,
            from: admission.peer,
            note: note,
            responder: services.deferredResponder
        )
        if !due.isEmpty { due[due.count - 1].postponed = request }
        return request
    }

    private func respond(to head: RequestHead, as admitted: AdmittedRequest, body bytes: [UInt8]) -> ResponseStep {
        do throws(Problem) {
            let endpoint = destination.endpoint
            guard case .atOnce(let respond) = endpoint.handler else { return postponing(head, as: admitted) }
            // Supervisors need an answer even when the server is busy.
            let isCounted = endpoint.access != .everyone
            if isCounted { try services.load.workBegan() }
            var waits = false
            defer { if isCounted, !waits { services.load.workEnded() } }
            let request = EndpointRequest(
                head,
                to: destination,
                as: admitted,
                body: try endpoint.read(bytes),
                byteCount: bytes.count
            )
            switch try respond(request) {
            case .ready(let response): return .respond(response)
            case .waiting(let answer):
                if !isCounted { try services.load.workBegan() }
                waits = true
                return .wait(byteCount: bytes.count) { [services] in await services.response(to: head, after: answer) }
            }
        } catch {
            return .respond(services.refusal(of: head, for: error))
        }
    }

    // MARK: Responses

    func addedFields(for head: RequestHead?, allow methods: String?) -> HTTPFields {
        guard let rules = services.admission.crossOrigins else { return [:] }
        let takesHolds = services.admission.catalog.wantedFields.contains(.holds)
        return rules.fields(for: head, allow: methods, takesHolds: takesHolds)
    }

    func answered(_ head: RequestHead, status: Int, hasChallenge: Bool) {
        let request = due.count == 1 ? due.removeLast() : due.removeFirst()
        guard isObserved || metrics != nil else { return }
        let duration = .now() - head.arrival
        if let metrics {
            series.note(head, to: request.endpoint, status: status, duration: duration, in: metrics)
        }
        guard isObserved else { return }
        let note = if let postponed = request.postponed { postponed.note } else { admission.note }
        // A denied link has the same status as a refused caller, but is not one.
        let isRefused = status == 429 || (status == 401 || status == 403) && hasChallenge
        observe(head, to: request.endpoint, status: status, duration: duration, note: note, isRefused: isRefused)
    }

    func refused(_ head: RequestHead?, status: Int, newID: String) {
        let request = head == nil ? nil : due.popLast()
        guard isObserved || metrics != nil else { return }
        let duration = head.map { .now() - $0.arrival } ?? .zero
        if let metrics {
            series.note(head, to: request?.endpoint, status: status, duration: duration, in: metrics)
        }
        guard isObserved else { return }
        observe(
            head,
            to: request?.endpoint,
            status: status,
            duration: duration,
            note: nil,
            isRefused: false,
            newID: newID
        )
    }

    func abandon() { due = [] }

    private func observe(
        _ head: RequestHead?,
        to endpoint: Endpoint?,
        status: Int,
        duration: TimeAmount,
        note: AdmissionResult?,
        isRefused: Bool,
        newID: String = ""
    ) {
        services.observer?
            .answered(
                ObservedResponse(
                    method: head?.method.rawValue ?? "",
                    endpoint: endpoint?.name ?? "refused",
                    template: endpoint?.path ?? "refused",
                    status: status,
                    duration: duration,
                    caller: note?.caller,
                    catalogVersion: note?.catalogVersion ?? services.admission.catalog.current.version,
                    requestID: head?.id ?? newID,
                    traceParent: head?.fields.traceParent,
                    refusedAddress: isRefused
                        ? CallerAddress.text(ofCaller: peer, forwardedFor: head?.fields.forwardedFor) : nil
                )
            )
    }
}

/// The dependencies that connections share: the rules of admission, the endpoints, and the observation of responses.
///
/// It is a class, so that a connection counts one reference to it instead of one for each part.
package final class ConnectionServices: ServerApplication {
    /// The settings of admission.
    let admission: AdmissionPolicy

    /// The endpoints of the service.
    let endpoints: EndpointTable

    /// The server's load, and whether it is about to stop.
    package let load: ServerLoad

    /// The log of the failures that cause problems.
    let failures: FailureLog

    /// The observer of every response, in addition to the metrics.
    let observer: (any ResponseObserver)?

    /// The metrics of responses, or `nil` for none.
    let metrics: ServiceMetrics?

    /// The log of unexpected failures.
    let logger: Logger

    /// Whether changes are audited, with the address of their origin.
    let isAudited: Bool

    /// The rare request fields with addresses and traces, as far as they are needed.
    private let observedFields: RequestFields.Wanted

    /// Whether the addresses of clients are needed.
    let wantsAddresses: Bool

    /// Creates the dependencies from their parts.
    package init(
        admission: AdmissionPolicy,
        endpoints: EndpointTable,
        load: ServerLoad,
        failures: FailureLog = FailureLog(),
        observer: (any ResponseObserver)? = nil,
        metrics: ServiceMetrics? = nil,
        isAudited: Bool = false,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.admission = admission
        self.endpoints = endpoints
        self.load = load
        self.failures = failures
        self.observer = observer
        self.metrics = metrics
        self.isAudited = isAudited
        self.logger = logger
        wantsAddresses = admission.callerLimits != nil || isAudited || observer != nil
        let addresses: RequestFields.Wanted = wantsAddresses ? .forwardedFor : .none
        observedFields = addresses.union(observer == nil ? .none : .traceParent)
    }

    package var ownFields: OwnFieldNames { RequestFields.ownNames }

    package var supervisedPaths: [String] { ["/readyz", "/healthz", "/metrics"] }

    package var secondsSinceEpoch: Int64 { admission.now().millisecondsSinceEpoch / 1000 }

    package func makeResponder() -> any ConnectionResponder { EventLoopResponder(with: self) }

    package func response(to fault: RequestFault, id: String) -> ServerResponse {
        EndpointResponse(Problem(fault).identified(by: id))
    }

    /// The responder in a task.
    var deferredResponder: TaskResponder { TaskResponder(services: self) }

    /// The rare request fields to read: the fields that responses depend on, and the fields for addresses and traces.
    var wantedFields: RequestFields.Wanted {
        admission.catalog.wantedFields.union(observedFields)
    }

    /// Waits for the answer to a request, and ends its work.
    func response(
        to head: RequestHead,
        after answer: @Sendable () async throws -> EndpointResponse
    ) async -> EndpointResponse {
        defer { load.workEnded() }
        do {
            return try await answer()
        } catch {
            return refusal(of: head, for: .ofWait(error))
        }
    }

    /// Returns the response to a request that is refused, and notes the cause.
    func refusal(of head: RequestHead, for problem: Problem) -> EndpointResponse {
        failures.note(problem, of: head.id)
        return EndpointResponse(problem.identified(by: head.id))
    }
}

extension ServerLoad {
    /// Begins to process a request that has arrived completely.
    ///
    /// ``workEnded()`` must follow.
    ///
    /// - Throws: `Problem` with the code `overloaded` if too many requests are being processed.
    func workBegan() throws(Problem) {
        guard beginsWork() else { throw .overloaded }
    }

    /// Processes a request that has arrived completely.
    ///
    /// - Throws: `Problem` with the code `overloaded` if too many requests are being processed, or the errors of the
    ///   body.
    func work<Result>(_ body: () async throws -> Result) async throws -> Result {
        try workBegan()
        defer { workEnded() }
        return try await body()
    }
}
