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

        /// Bytes that are all there.
        case bytes(ByteBuffer)

        /// Bytes that are written as they come.
        case stream(ResponseBody)
    }

    let status: HTTPResponse.Status

    /// The fields that this answer has beside those of every answer.
    let fields: HTTPFields

    let body: Body

    /// Creates an answer without a body.
    init(status: HTTPResponse.Status, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
        body = .none
    }

    /// Creates an answer with a JSON body.
    init(_ body: some WireBody, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.init(json: ByteBuffer(bytes: body.json), status: status, fields: fields)
    }

    /// Creates an answer that is a problem.
    init(_ problem: Problem) {
        self.init(
            json: ByteBuffer(bytes: problem.json),
            mediaType: "application/problem+json",
            status: problem.code.status,
            fields: problem.headers
        )
    }

    /// Creates an answer with JSON that is written already.
    init(
        json: ByteBuffer,
        mediaType: String = MediaType.json.rawValue,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:]
    ) {
        self.status = status
        var fields = fields
        fields[.contentType] = mediaType
        self.fields = fields
        body = .bytes(json)
    }

    /// Creates an answer whose body is written as it comes.
    init(stream: ResponseBody, _ mediaType: MediaType) {
        status = .ok
        fields = [.contentType: mediaType.rawValue]
        body = .stream(stream)
    }

    /// The fields of the answer, complete but for those that are known when it is sent: date, id, and how the connection
    /// goes on.
    var completeFields: HTTPFields {
        var fields = fields
        if case .bytes(let bytes) = body { fields[.contentLength] = String(bytes.readableBytes) }
        ResponseHeaders.complete(&fields)
        return fields
    }
}
