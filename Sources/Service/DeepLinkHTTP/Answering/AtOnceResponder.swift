import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import NIOCore

/// The responder on the event loop.
///
/// It admits each request of a connection, and answers requests with at most a short body that wait for nothing but a
/// user's level.
///
/// It defers the others to a ``DeferredResponder``, with the results of their admission.
struct AtOnceResponder {
    /// The next step for a request.
    enum Step {
        /// Send a response, even if more of the request is still to come.
        case respond(EndpointResponse)

        /// Wait for the answer to a request, which has arrived whole.
        case wait(WaitingRequest)

        /// Read more of the body.
        case readBody

        /// Pass the request to a task.
        case `defer`(DeferredRequest)
    }

    /// A request that waits for its answer, and counts as work until then.
    struct WaitingRequest: Sendable {
        let head: RequestHead

        /// The length of the body, in bytes.
        let byteCount: Int

        /// The note of its admission for observers.
        let note: AdmissionNote?

        /// The function that returns the answer.
        let answer: @Sendable () async throws -> EndpointResponse
    }

    /// A request with a body that is being buffered.
    private struct Gathered {
        let head: RequestHead
        let admitted: AdmittedRequest
        var body: [UInt8] = []
    }

    /// The maximum size of a body that is read here, in bytes.
    ///
    /// Requests with longer ones may also take longer to answer.
    static let maximumBodyByteCount = 64 * 1024

    private let services: ConnectionServices
    private var admission: RequestAdmission
    private var gathered: Gathered?

    init(with services: ConnectionServices) {
        self.services = services
        admission = RequestAdmission(by: services.admission, notesCallers: services.observer != nil)
    }

    /// Stores the peer of the connection once, if it is needed.
    mutating func learnPeer(_ peer: @autoclosure () -> SocketAddress?) {
        if services.wantsAddresses, admission.peer == nil { admission.peer = peer() }
    }

    /// The peer of the connection, or `nil` unless it is needed.
    var peer: SocketAddress? { admission.peer }

    /// The note of the last admission, for observers.
    var note: AdmissionNote? { admission.note }

    /// The number of buffered bytes of a body.
    var keptByteCount: Int { gathered?.body.count ?? 0 }

    /// Defers a request that can't be admitted yet, because others precede it.
    func deferring(_ head: RequestHead) -> DeferredRequest { deferring(head, admitted: nil, note: nil) }

    /// Begins to process a request.
    ///
    /// - Parameters:
    ///   - head: the head.
    ///   - length: the length of the body.
    ///   - body: the body, if it has arrived completely and is short enough.
    /// - Returns: the next step. With a given body, it is never to read more.
    mutating func begin(_ head: RequestHead, length: RequestBodyLength, whole body: ByteBuffer? = nil) -> Step {
        do throws(Problem) {
            guard case .admitted(let admitted) = try admission.verdict(on: head) else {
                return .defer(deferring(head, admitted: nil, note: nil))
            }
            let endpoint = head.destination.endpoint
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

    /// Buffers a part of the body.
    ///
    /// If the step is to pass the request to a task, ``takeGathered()`` returns the bytes before the part.
    mutating func take(_ part: ByteBuffer) -> Step {
        guard let request = gathered else { return .readBody }
        guard request.body.count + part.readableBytes <= Self.maximumBodyByteCount else {
            return postponing(request.head, as: request.admitted)
        }
        gathered?.body.append(contentsOf: part.readableBytesView)
        return .readBody
    }

    /// Answers a request with a body that has arrived completely.
    mutating func end() -> Step {
        guard let request = gathered else { return .readBody }
        gathered = nil
        return respond(to: request.head, as: request.admitted, body: request.body)
    }

    /// Removes and returns the buffered bytes of a body.
    mutating func takeGathered() -> [UInt8] {
        defer { gathered = nil }
        return gathered?.body ?? []
    }

    private func postponing(_ head: RequestHead, as admitted: AdmittedRequest) -> Step {
        .defer(deferring(head, admitted: admitted, note: admission.note))
    }

    private func deferring(_ head: RequestHead, admitted: AdmittedRequest?, note: AdmissionNote?) -> DeferredRequest {
        DeferredRequest(head, admitted: admitted, from: admission.peer, note: note)
    }

    private func respond(to head: RequestHead, as admitted: AdmittedRequest, body bytes: [UInt8]) -> Step {
        do throws(Problem) {
            let endpoint = head.destination.endpoint
            guard case .atOnce(let respond) = endpoint.handler else { return postponing(head, as: admitted) }
            // Supervisors need an answer even when the server is busy.
            let isCounted = endpoint.access != .everyone
            if isCounted { try services.load.workBegan() }
            var waits = false
            defer { if isCounted, !waits { services.load.workEnded() } }
            switch try respond(try request(head, as: admitted, body: bytes)) {
            case .ready(let response): return .respond(response)
            case .waiting(let answer):
                if !isCounted { try services.load.workBegan() }
                waits = true
                return .wait(
                    WaitingRequest(head: head, byteCount: bytes.count, note: admission.note, answer: answer)
                )
            }
        } catch {
            return .respond(services.refusal(of: head, for: error))
        }
    }

    private func request(
        _ head: RequestHead,
        as admitted: AdmittedRequest,
        body bytes: [UInt8]
    ) throws(Problem) -> EndpointRequest {
        EndpointRequest(
            head,
            as: admitted,
            body: try head.destination.endpoint.read(bytes),
            byteCount: bytes.count
        )
    }
}
