import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Hummingbird
import NIOCore

/// The way of a request through Hummingbird to its endpoint, for what waits: admission, the arrival of the body, the load,
/// the reading of the body, in this order.
struct EndpointHandler {
    let environment: ServiceEnvironment

    /// Answers a request, whatever its destination is.
    ///
    /// - Throws: `Problem`, and what the endpoint throws.
    func respond(to request: Request, from peer: SocketAddress?) async throws -> EndpointResponse {
        let head = RequestHead(request, environment)
        var admission = RequestAdmission(environment)
        admission.peer = peer
        defer { RoutedAdmission.current?.note = admission.note }
        let admitted = try await admission.admit(head)
        guard let endpoint = head.destination.endpoint else {
            return try await environment.load.work { try await WebLinks.respond(to: head, admitted, environment) }
        }
        var kept = KeptBytes(of: environment.load.arriving)
        let bytes = try await receive(request, head, endpoint, &kept)
        let answer: (JSONObjectBody) async throws -> EndpointResponse = { body in
            var call = EndpointRequest(
                environment,
                head,
                admitted,
                body: body,
                byteCount: bytes.count,
                lines: request.body
            )
            call.bytes = bytes
            switch endpoint.answer {
            case .atOnce(let answer): return try answer(call)
            case .atOnceOrLater(_, let answer): return try await answer(call)
            case .later(let answer): return try await answer(call)
            }
        }
        // Supervisors must learn how a busy server is.
        if endpoint.access == .everyone { return try await answer(.empty) }
        // What has arrived whole is read within the limit: reading a large body is work.
        return try await environment.load.work { try await answer(try endpoint.read(bytes)) }
    }

    private func receive(
        _ request: Request,
        _ head: RequestHead,
        _ endpoint: Endpoint,
        _ kept: inout KeptBytes
    ) async throws -> [UInt8] {
        switch endpoint.body {
        case .none: return []
        case .object:
            try MediaType.json.require(head.fields.contentType.first)
            return try await JSONObjectBody.receive(request, keeping: &kept)
        case .bytes(let type):
            try type.require(head.fields.contentType.first)
            return try await JSONObjectBody.receive(request, keeping: &kept)
        case .lines:
            try MediaType.ndjson.require(head.fields.contentType.first)
            return []
        }
    }
}

extension RequestHead {
    /// Reads a request that came through Hummingbird.
    convenience init(_ request: Request, _ environment: ServiceEnvironment) {
        let fields = RequestFields(
            request.headers,
            host: request.head.authority,
            wanted: environment.wantedFields.onTheWay(to: (request.head.path ?? "/").utf8Span.span)
        )
        self.init(
            request.method,
            request.head.path ?? "/",
            fields,
            id: fields.requestID.first ?? "",
            of: environment.endpoints
        )
    }
}

extension Endpoint {
    /// Reads a body that has come whole.
    ///
    /// - Throws: `Problem` of code `invalid-request`.
    func read(_ bytes: [UInt8]) throws(Problem) -> JSONObjectBody {
        if case .object(let keys) = body { try JSONObjectBody(bytes, keys: keys) } else { .empty }
    }
}
