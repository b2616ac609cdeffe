import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import NIOCore

/// The part of a connection that answers what waits for nothing, on the event loop and without a task: from the head of a
/// request, and a short body read whole.
///
/// What it does not take is passed on to Hummingbird, whose router ends at the same endpoints, through the same door.
struct AtOnceResponder {
    /// What is to be done with a request, or with what has come of it.
    enum Step {
        /// It is answered, whatever else of it is still to come.
        case answer(EndpointResponse)

        /// More of it is awaited.
        case wait

        /// It is not answered here.
        case passOn
    }

    /// A request whose body is being gathered.
    private struct Gathered {
        let head: RequestHead
        let admitted: AdmittedRequest
        var body: [UInt8] = []
    }

    /// The most bytes of a body that is read here: what is longer may also take longer to answer.
    static let maximumBodyByteCount = 64 * 1024

    private let environment: ServiceEnvironment
    private var admission: RequestAdmission
    private var gathered: Gathered?

    init(_ environment: ServiceEnvironment) {
        self.environment = environment
        admission = RequestAdmission(environment)
    }

    /// Learns who is on the other side of the connection, once, where that matters.
    mutating func learnPeer(_ peer: @autoclosure () -> SocketAddress?) {
        if environment.wantsAddresses, admission.peer == nil { admission.peer = peer() }
    }

    /// What observers are told of who asked.
    var note: AdmissionNote? { admission.note }

    /// How many bytes of a body are kept.
    var keptByteCount: Int { gathered?.body.count ?? 0 }

    /// Begins with a request.
    mutating func begin(_ head: RequestHead, _ length: RequestBodyLength) -> Step {
        if let endpoint = head.destination.endpoint {
            if case .later = endpoint.answer { return .passOn }
        }
        let takes = head.destination.endpoint?.body ?? .none
        switch (takes, length) {
        case (.none, .none), (.object, .none), (.object, .chunked): break
        case (.object, .bytes(let count)) where count <= Self.maximumBodyByteCount: break
        default: return .passOn
        }
        do throws(Problem) {
            guard case .admitted(let admitted) = try admission.verdict(on: head) else {
                return .passOn
            }
            guard case .object = takes else { return respond(to: head, admitted, []) }
            try MediaType.json.require(head.fields.contentType.first)
            guard length != .none else { return respond(to: head, admitted, []) }
            gathered = Gathered(head: head, admitted: admitted)
            return .wait
        } catch {
            return .answer(EndpointResponse(error.identified(by: head.id)))
        }
    }

    /// Answers a request that has come whole; `nil` where it is not answered here.
    mutating func answer(_ head: RequestHead, _ body: ByteBuffer) -> EndpointResponse? {
        switch begin(head, body.readableBytes > 0 ? .bytes(body.readableBytes) : .none) {
        case .answer(let response): return response
        case .passOn: return nil
        case .wait:
            guard case .wait = take(body), case .answer(let response) = end() else {
                gathered = nil
                return nil
            }
            return response
        }
    }

    /// Takes a part of the body.
    ///
    /// Where it says to pass on, ``takeGathered()`` has what came before the part.
    mutating func take(_ part: ByteBuffer) -> Step {
        guard let count = gathered?.body.count, count + part.readableBytes <= Self.maximumBodyByteCount else {
            return .passOn
        }
        gathered?.body.append(contentsOf: part.readableBytesView)
        return .wait
    }

    /// Answers a request whose body has come whole.
    mutating func end() -> Step {
        guard let request = gathered else { return .passOn }
        let step = respond(to: request.head, request.admitted, request.body)
        // What has to wait is handed over with its body.
        if case .passOn = step { return step }
        gathered = nil
        return step
    }

    /// Hands over what was gathered of a body.
    mutating func takeGathered() -> [UInt8] {
        defer { gathered = nil }
        return gathered?.body ?? []
    }

    private func respond(to head: RequestHead, _ admitted: AdmittedRequest, _ bytes: [UInt8]) -> Step {
        do throws(Problem) {
            guard let response = try response(to: head, admitted, bytes) else {
                admission.takeBack(head, admitted)
                return .passOn
            }
            return .answer(response)
        } catch {
            environment.failures.note(error, of: head.id)
            return .answer(EndpointResponse(error.identified(by: head.id)))
        }
    }

    /// Answers; `nil` where there is something to wait for.
    private func response(
        to head: RequestHead,
        _ admitted: AdmittedRequest,
        _ bytes: [UInt8]
    ) throws(Problem) -> EndpointResponse? {
        guard let endpoint = head.destination.endpoint else {
            return try environment.load.workAtOnce { () throws(Problem) in
                try WebLinks.respondAtOnce(to: head, admitted, environment)
            }
        }
        switch endpoint.answer {
        case .later: return nil
        case .atOnce(let answer):
            // Supervisors must learn how a busy server is.
            if endpoint.access == .everyone { return try answer(EndpointRequest(environment, head, admitted)) }
            return try environment.load.workAtOnce { () throws(Problem) in
                try answer(
                    EndpointRequest(environment, head, admitted, body: try endpoint.read(bytes), byteCount: bytes.count)
                )
            }
        case .atOnceOrLater(let answer, _):
            return try environment.load.workAtOnce { () throws(Problem) in
                try answer(
                    EndpointRequest(environment, head, admitted, body: try endpoint.read(bytes), byteCount: bytes.count)
                )
            }
        }
    }
}
