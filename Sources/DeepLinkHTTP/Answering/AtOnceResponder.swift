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

        /// It has come whole, and its answer waits for a user's level.
        case awaitLevel(AwaitedAnswer)

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

    /// Begins with a request that has come whole, and so with nothing to wait for but a level.
    mutating func begin(_ head: RequestHead, whole body: ByteBuffer) -> Step {
        let step = begin(head, body.readableBytes > 0 ? .bytes(body.readableBytes) : .none)
        guard case .wait = step else { return step }
        guard case .wait = take(body) else {
            gathered = nil
            return .passOn
        }
        return end()
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
        gathered = nil
        return respond(to: request.head, request.admitted, request.body)
    }

    /// Hands over what was gathered of a body.
    mutating func takeGathered() -> [UInt8] {
        defer { gathered = nil }
        return gathered?.body ?? []
    }

    private func respond(to head: RequestHead, _ admitted: AdmittedRequest, _ bytes: [UInt8]) -> Step {
        do throws(Problem) {
            switch try answer(to: head, admitted, bytes) {
            case .given(let response): return .answer(response)
            case .awaited(let answer): return .awaitLevel(answer)
            case nil: return .passOn
            }
        } catch {
            return .answer(refusal(of: head, error))
        }
    }

    /// Answers a request whose level was awaited, from what the store has told; its work ends.
    func respond(to answer: AwaitedAnswer, _ finding: Result<GrantFinding, any Error>) -> EndpointResponse {
        defer { environment.load.workEnded() }
        do throws(Problem) {
            return try answer.respond(finding)
        } catch {
            return refusal(of: answer.head, error)
        }
    }

    private func refusal(of head: RequestHead, _ problem: Problem) -> EndpointResponse {
        environment.failures.note(problem, of: head.id)
        return EndpointResponse(problem.identified(by: head.id))
    }

    /// Answers; `nil` where there is more to wait for than a level, which is passed on from the beginning.
    private func answer(
        to head: RequestHead,
        _ admitted: AdmittedRequest,
        _ bytes: [UInt8]
    ) throws(Problem) -> PromptAnswer? {
        guard let endpoint = head.destination.endpoint else {
            return try workPromptly { () throws(Problem) in
                try WebLinks.respondAtOnce(to: head, admitted, environment)
            }
        }
        switch endpoint.answer {
        case .later: return nil
        case .atOnce(let answer):
            // Supervisors must learn how a busy server is.
            if endpoint.access == .everyone { return .given(try answer(EndpointRequest(environment, head, admitted))) }
            return .given(
                try environment.load.workAtOnce { () throws(Problem) in
                    try answer(
                        EndpointRequest(
                            environment,
                            head,
                            admitted,
                            body: try endpoint.read(bytes),
                            byteCount: bytes.count
                        )
                    )
                }
            )
        case .atOnceOrLater(let answer, _):
            return try workPromptly { () throws(Problem) in
                try answer(
                    EndpointRequest(environment, head, admitted, body: try endpoint.read(bytes), byteCount: bytes.count)
                )
            }
        }
    }

    /// Works on a request; where its answer is awaited, the work goes on.
    private func workPromptly(_ body: () throws(Problem) -> PromptAnswer) throws(Problem) -> PromptAnswer {
        try environment.load.workBegan()
        var goesOn = false
        defer { if !goesOn { environment.load.workEnded() } }
        let answer = try body()
        if case .awaited = answer { goesOn = true }
        return answer
    }
}
