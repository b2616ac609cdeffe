import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The answer of an endpoint, independent of how it is sent.
struct EndpointResponse: Sendable {
    /// The body of an answer.
    enum Body: Sendable {
        /// Nothing, which some statuses have.
        case none

        /// Bytes that were written for this response.
        case bytes([UInt8])

        /// Bytes that many responses share.
        case shared(ByteBuffer)

        /// Bytes that are written as they come.
        case stream(ResponseBody)
    }

    /// The type of problems (RFC 9457 §3).
    static let problemType = "application/problem+json"

    let status: HTTPResponse.Status

    /// The fields that this answer has beside those of every answer.
    let fields: HTTPFields

    /// The type of the body; empty if there is none.
    let mediaType: String

    let body: Body

    /// Creates an answer without a body.
    init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
        mediaType = ""
        body = .none
    }

    /// Creates an answer with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(body.json), status: status, fields: fields)
    }

    /// Creates an answer that is a problem.
    init(_ problem: Problem) {
        self.init(
            .bytes(problem.json),
            ofType: Self.problemType,
            status: problem.code.status,
            fields: problem.headers
        )
    }

    /// Creates an answer with JSON of its own that is written already.
    init(json: [UInt8], fields: HTTPFields) {
        self.init(.bytes(json), fields: fields)
    }

    /// Creates an answer that is a problem, written already.
    init(problem code: ProblemCode, json: [UInt8], fields: HTTPFields) {
        self.init(.bytes(json), ofType: Self.problemType, status: code.status, fields: fields)
    }

    /// Creates an answer with JSON that many answers share.
    init(json: ByteBuffer, fields: HTTPFields = HTTPFields()) {
        self.init(.shared(json), fields: fields)
    }

    /// Creates an answer of another type than JSON.
    init(_ type: MediaType, bytes: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = HTTPFields()) {
        self.init(.bytes(bytes), ofType: type.rawValue, status: status, fields: fields)
    }

    /// Creates an answer of another type, with bytes that many answers share.
    init(document: ByteBuffer, mediaType: String, fields: HTTPFields) {
        self.init(.shared(document), ofType: mediaType, fields: fields)
    }

    /// Creates an answer whose body is written as it comes.
    init(stream: ResponseBody, _ mediaType: MediaType) {
        self.init(.stream(stream), ofType: mediaType.rawValue)
    }

    /// Creates the answer that was kept for a repeated request.
    init(_ kept: KeptAnswer) {
        let status = HTTPResponse.Status(integerLiteral: kept.status)
        let fields: HTTPFields = kept.tag.map { [.eTag: $0] } ?? [:]
        if kept.body.isEmpty {
            self.init(status: status, fields: fields)
        } else {
            self.init(.bytes(kept.body), status: status, fields: fields)
        }
    }

    /// Returns the part of the answer that is kept for a request; `nil` if it isn't one of success, or isn't JSON of
    /// its own.
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

    /// Returns the same answer with further fields.
    func adding(_ more: HTTPFields) -> EndpointResponse {
        var fields = fields
        fields.append(contentsOf: more)
        return EndpointResponse(body, ofType: mediaType, status: status, fields: fields)
    }

    /// The length that the answer declares for its body, in bytes; `nil` if it declares none.
    ///
    /// An answer without a body declares 0, since it otherwise ends with the connection (RFC 9112 §6.3); 204, 304 and
    /// those of 1xx have no body, whatever their fields, and must not, or need not, declare a length (RFC 9110 §8.6).
    var contentLength: Int? {
        switch body {
        case .none: status.kind == .informational || status == .noContent || status == .notModified ? nil : 0
        case .bytes(let bytes): bytes.count
        case .shared(let bytes): bytes.readableBytes
        case .stream: nil
        }
    }

    /// The fields of the answer, complete except for those that are known when it is sent: date, id, and whether the
    /// connection ends.
    var completeFields: HTTPFields {
        var fields = fields
        if !mediaType.isEmpty { fields[.contentType] = mediaType }
        if let contentLength { fields[.contentLength] = String(contentLength) }
        ResponseHeaders.complete(&fields)
        return fields
    }
}
