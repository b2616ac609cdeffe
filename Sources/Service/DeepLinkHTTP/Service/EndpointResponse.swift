import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The name of the server's response where an endpoint makes it.
typealias EndpointResponse = ServerResponse

extension ServerResponse {
    /// Creates a response with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(body.json), status: status, fields: fields)
    }

    /// Creates a response with a problem.
    init(_ problem: Problem) {
        self.init(
            .bytes(problem.json),
            ofType: ServerResponse.problemType,
            status: problem.code.status,
            fields: problem.headers
        )
    }

    /// Creates a response with its own JSON, already written.
    init(json: [UInt8], fields: HTTPFields) {
        self.init(.bytes(json), fields: fields)
    }

    /// Creates a response with a problem, already written.
    init(problem code: ProblemCode, json: [UInt8], fields: HTTPFields) {
        self.init(.bytes(json), ofType: ServerResponse.problemType, status: code.status, fields: fields)
    }

    /// Creates a response with JSON that many responses share.
    init(json: ByteBuffer, fields: HTTPFields = HTTPFields()) {
        self.init(.shared(json), fields: fields)
    }

    /// Creates a response of another type than JSON.
    init(_ type: MediaType, bytes: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(bytes), ofType: type.rawValue, status: status, fields: fields)
    }

    /// Creates a response of another type, with bytes that many responses share.
    init(document: ByteBuffer, mediaType: String, fields: HTTPFields) {
        self.init(.shared(document), ofType: mediaType, fields: fields)
    }

    /// Creates a response with a body that is written as it is produced.
    init(stream: ResponseBody, _ mediaType: MediaType) {
        self.init(.stream(stream), ofType: mediaType.rawValue)
    }

    /// Creates the response that was stored for a retried request.
    init(_ kept: KeptAnswer) {
        let status = HTTPResponse.Status(integerLiteral: kept.status)
        let fields: HTTPFields = kept.tag.map { [.eTag: $0] } ?? [:]
        if kept.body.isEmpty {
            self.init(status: status, fields: fields)
        } else {
            self.init(.bytes(kept.body), status: status, fields: fields)
        }
    }

    /// Returns the part of the response that is stored for a request, or `nil` if the response isn't successful, or its
    /// body isn't its own JSON.
    func kept(to request: RepeatableRequest) -> KeptAnswer? {
        guard status.kind == .successful else { return nil }
        let bytes: [UInt8]
        switch body {
        case .none: bytes = []
        case .bytes(let own): bytes = own
        case .shared, .stream: return nil
        }
        return KeptAnswer(digest: request.digest, status: status.code, tag: fields[.eTag], body: bytes)
    }
}
