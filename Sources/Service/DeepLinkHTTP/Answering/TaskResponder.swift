import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The responder in a task, for requests that wait.
///
/// It awaits the body, counts the load, and calls the endpoint.
struct TaskResponder: Sendable {
    let services: ConnectionServices

    /// Returns the response to a request.
    ///
    /// Every error becomes a problem.
    ///
    /// A `Problem` is sent as it is. Any other error is a failure of the environment. It is logged with its cause, and
    /// the client gets only the request's id.
    func response(to request: PostponedRequest, body: RequestBody) async -> EndpointResponse {
        do {
            return try await answer(to: request, body: body)
        } catch {
            return EndpointResponse(problem(for: error, requestID: request.head.id))
        }
    }

    private func answer(to request: PostponedRequest, body: RequestBody) async throws -> EndpointResponse {
        let head = request.head
        let endpoint = request.destination.endpoint
        let admitted = try await admit(request)
        var kept = ReservedBytes(of: services.load.arriving)
        let bytes = try await receive(body, of: head, to: endpoint, keeping: &kept)
        let answer: (JSONObjectBody) async throws -> EndpointResponse = { object in
            let call = EndpointRequest(
                head,
                to: request.destination,
                as: admitted,
                body: object,
                bytes: bytes,
                byteCount: bytes.count,
                lines: body,
                from: request.peer
            )
            return try await endpoint.handler.respond(to: call)
        }
        // Supervisors need a response even when the server is busy.
        if endpoint.access == .everyone { return try await answer(.empty) }
        // A complete body is parsed within the load limit, since parsing a large one is work.
        return try await services.load.work { try await answer(head.takesLines ? .empty : try endpoint.read(bytes)) }
    }

    private func admit(_ request: PostponedRequest) async throws(Problem) -> AdmittedRequest {
        if let admitted = request.admitted { return admitted }
        var admission = RequestAdmission(by: services.admission, notesCallers: services.observer != nil)
        admission.peer = request.peer
        defer { request.note = admission.note }
        return try await admission.admit(request.head, to: request.destination.endpoint)
    }

    private func receive(
        _ body: RequestBody,
        of head: RequestHead,
        to endpoint: Endpoint,
        keeping kept: inout ReservedBytes
    ) async throws -> [UInt8] {
        switch endpoint.body {
        case .none: return []
        case .objectOrLines where head.takesLines, .lines:
            try MediaType.ndjson.require(of: head.fields.contentType, encoded: head.fields.contentEncoding)
            return []
        case .object, .objectOrLines:
            try MediaType.json.require(of: head.fields.contentType, encoded: head.fields.contentEncoding)
            return try await body.receive(declaredBy: head.fields, keeping: &kept)
        case .fields:
            let bytes = try await body.receive(declaredBy: head.fields, keeping: &kept)
            if !bytes.isEmpty {
                try MediaType.json.require(of: head.fields.contentType, encoded: head.fields.contentEncoding)
            }
            return bytes
        case .bytes(let type):
            try type.require(of: head.fields.contentType, encoded: head.fields.contentEncoding)
            return try await body.receive(declaredBy: head.fields, keeping: &kept)
        }
    }

    private func problem(for error: any Error, requestID id: String) -> Problem {
        if let problem = error as? Problem {
            services.failures.note(problem, of: id)
            return problem.identified(by: id)
        }
        services.logger.error("The request failed.", metadata: ["error": "\(error)", "requestId": "\(id)"])
        return Problem(.internal, detail: "The failure is logged under the request id.").identified(by: id)
    }
}

extension RequestBody {
    /// Receives the whole body.
    ///
    /// Its bytes are counted as buffered while they arrive.
    ///
    /// - Throws: `Problem` with the code `body-too-large`, `overloaded` or `invalid-request`.
    func receive(declaredBy fields: borrowing RequestFields, keeping kept: inout ReservedBytes) async throws -> [UInt8]
    {
        let declared = fields.contentLength.first.flatMap { Int($0) }
        guard declared ?? 0 <= JSONObjectBody.maximumByteCount else { throw JSONObjectBody.tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in self {
            let count = bytes.count + buffer.readableBytes
            guard count <= JSONObjectBody.maximumByteCount else { throw JSONObjectBody.tooLarge }
            guard kept.become(count) else { throw Problem.tooManyBytes }
            bytes += buffer.readableBytesView
        }
        // A connection that breaks ends the body as if it were complete.
        guard declared == nil || declared == bytes.count else {
            throw Problem.malformed(field: "body", detail: "The body ended before its Content-Length.")
        }
        return bytes
    }
}

/// A request that its connection passes to a task, with the parsed head and the decisions so far.
final class PostponedRequest: DeferredRequest {
    let head: RequestHead

    /// The endpoint of the request.
    let destination: RequestDestination

    /// The result of the admission, or `nil` if the task has to decide, because an earlier request comes first or a
    /// token must be verified.
    let admitted: AdmittedRequest?

    /// The peer of the connection, if it is needed.
    let peer: SocketAddress?

    private let responder: TaskResponder
    private let state: Mutex<AdmissionResult?>

    /// The note of the admission for observers, or `nil` if no caller was found or there are no observers.
    var note: AdmissionResult? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    init(
        _ head: RequestHead,
        to destination: RequestDestination,
        admitted: AdmittedRequest?,
        from peer: SocketAddress?,
        note: AdmissionResult?,
        responder: TaskResponder
    ) {
        self.head = head
        self.destination = destination
        self.admitted = admitted
        self.peer = peer
        self.responder = responder
        state = Mutex(note)
    }

    var isAnsweredWhole: Bool { destination.endpoint.isAnsweredWhole }

    func response(body: RequestBody) async -> ServerResponse { await responder.response(to: self, body: body) }
}
