import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The answer of an endpoint, before anybody knows how it is sent.
struct EndpointResponse: Sendable {
    /// The body of an answer.
    enum Body: Sendable {
        /// Nothing, which some statuses have.
        case none

        /// JSON, or a text of another type, that was written for this answer.
        case json([UInt8])

        /// Bytes that many answers share.
        case document(ByteBuffer)

        /// Bytes that are written as they come.
        case stream(ResponseBody)
    }

    let status: HTTPResponse.Status

    /// The fields that this answer has beside those of every answer.
    let fields: HTTPFields

    /// The type of the body; empty where there is none.
    let mediaType: String

    let body: Body

    /// Creates an answer without a body.
    init(status: HTTPResponse.Status, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
        mediaType = ""
        body = .none
    }

    /// Creates an answer with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.init(.json(body.json), status: status, fields: fields)
    }

    /// Creates an answer that is a problem.
    init(_ problem: Problem) {
        self.init(
            .json(problem.json),
            "application/problem+json",
            status: problem.code.status,
            fields: problem.headers
        )
    }

    /// Creates an answer with JSON that is written already.
    init(json: ByteBuffer, fields: HTTPFields = [:]) {
        self.init(.document(json), fields: fields)
    }

    /// Creates an answer of another type than JSON.
    init(_ type: MediaType, bytes: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.init(.json(bytes), type.rawValue, status: status, fields: fields)
    }

    /// Creates an answer of another type, with bytes that many answers share.
    init(document: ByteBuffer, mediaType: String, fields: HTTPFields) {
        self.init(.document(document), mediaType, fields: fields)
    }

    /// Creates an answer whose body is written as it comes.
    init(stream: ResponseBody, _ mediaType: MediaType) {
        self.init(.stream(stream), mediaType.rawValue)
    }

    /// Creates the answer that was kept of another time.
    init(_ kept: KeptAnswer) {
        let status = HTTPResponse.Status(integerLiteral: kept.status)
        let fields: HTTPFields = kept.tag.map { [.eTag: $0] } ?? [:]
        if kept.body.isEmpty {
            self.init(status: status, fields: fields)
        } else {
            self.init(.json(kept.body), status: status, fields: fields)
        }
    }

    /// Returns what is kept of the answer to a request; `nil` where it is none of success, or not JSON of its own.
    func kept(to request: RepeatableRequest) -> KeptAnswer? {
        guard status.kind == .successful else { return nil }
        let bytes: [UInt8]
        switch body {
        case .none: bytes = []
        case .json(let json): bytes = json
        case .document, .stream: return nil
        }
        return KeptAnswer(digest: request.digest, status: status.code, tag: fields[.eTag], body: bytes)
    }

    private init(
        _ body: Body,
        _ mediaType: String = MediaType.json.rawValue,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) {
        self.status = status
        self.fields = fields
        self.mediaType = mediaType
        self.body = body
    }

    /// The same answer with further fields.
    func adding(_ more: HTTPFields) -> EndpointResponse {
        var fields = fields
        fields.append(contentsOf: more)
        return EndpointResponse(body, mediaType, status: status, fields: fields)
    }

    /// The fields of the answer, complete but for those that are known when it is sent: date, id, and how the connection
    /// goes on.
    var completeFields: HTTPFields {
        var fields = fields
        if !mediaType.isEmpty { fields[.contentType] = mediaType }
        switch body {
        case .none, .stream: break
        case .json(let bytes): fields[.contentLength] = String(bytes.count)
        case .document(let bytes): fields[.contentLength] = String(bytes.readableBytes)
        }
        ResponseHeaders.complete(&fields)
        return fields
    }
}
