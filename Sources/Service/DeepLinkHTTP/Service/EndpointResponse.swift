import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The response of an endpoint, independent of how it is sent.
struct EndpointResponse: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// No body, as with some statuses.
        case none

        /// Bytes written for this response.
        case bytes([UInt8])

        /// Bytes that many responses share.
        case shared(ByteBuffer)

        /// Bytes that are written as they are produced.
        case stream(ResponseBody)
    }

    /// The media type of problems (RFC 9457 §3).
    static let problemType = "application/problem+json"

    let status: HTTPResponse.Status

    /// The fields of this response, in addition to the fields of every response.
    let fields: HTTPFields

    /// The type of the body, or an empty text if there is none.
    let mediaType: String

    let body: Body

    /// Creates a response without a body.
    init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
        mediaType = ""
        body = .none
    }

    /// Creates a response with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(body.json), status: status, fields: fields)
    }

    /// Creates a response with a problem.
    init(_ problem: Problem) {
        self.init(
            .bytes(problem.json),
            ofType: Self.problemType,
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
        self.init(.bytes(json), ofType: Self.problemType, status: code.status, fields: fields)
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

    private init(
        _ body: Body,
        ofType mediaType: String = MediaType.json.rawValue,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = HTTPFields()
    ) {
        self.status = status
        self.fields = fields
        self.mediaType = mediaType
        self.body = body
    }

    /// Returns the same response with additional fields.
    func adding(_ more: HTTPFields) -> EndpointResponse {
        var fields = fields
        fields.append(contentsOf: more)
        return EndpointResponse(body, ofType: mediaType, status: status, fields: fields)
    }

    /// The length that the response declares for its body in bytes, or `nil` if it declares none.
    ///
    /// A response without a body declares 0, since it would otherwise end only with the connection (RFC 9112 §6.3).
    /// Responses with 204, 304 and 1xx never have a body, and must not, or need not, declare a length (RFC 9110 §8.6).
    var contentLength: Int? {
        switch body {
        case .none: status.kind == .informational || status == .noContent || status == .notModified ? nil : 0
        case .bytes(let bytes): bytes.count
        case .shared(let bytes): bytes.readableBytes
        case .stream: nil
        }
    }

    /// The fields of the response, complete except for the ones known when it is sent: date, id, and whether the
    /// connection closes.
    var completeFields: HTTPFields {
        var fields = fields
        if !mediaType.isEmpty { fields[.contentType] = mediaType }
        if let contentLength { fields[.contentLength] = String(contentLength) }
        ResponseHeaders.complete(&fields)
        return fields
    }
}
