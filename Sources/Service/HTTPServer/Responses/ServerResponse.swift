package import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// The response of an application, independent of how it is sent.
package struct ServerResponse: Sendable {
    /// The body of a response.
    package enum Body: Sendable {
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
    package static let problemType = "application/problem+json"

    /// The media type of JSON (RFC 8259 §11).
    package static let jsonType = "application/json"

    /// The status.
    package let status: HTTPResponse.Status

    /// The fields of this response, in addition to the fields of every response.
    package let fields: HTTPFields

    /// The type of the body, or an empty text if there is none.
    package let mediaType: String

    /// The body.
    package let body: Body

    /// Creates a response without a body.
    package init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
        mediaType = ""
        body = .none
    }

    /// Creates a response with a body.
    package init(
        _ body: Body,
        ofType mediaType: String = jsonType,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = HTTPFields()
    ) {
        self.status = status
        self.fields = fields
        self.mediaType = mediaType
        self.body = body
    }

    /// Returns the same response with additional fields.
    package func adding(_ more: HTTPFields) -> ServerResponse {
        var fields = fields
        fields.append(contentsOf: more)
        return ServerResponse(body, ofType: mediaType, status: status, fields: fields)
    }

    /// The length that the response declares for its body in bytes, or `nil` if it declares none.
    ///
    /// A response without a body declares 0, since it would otherwise end only with the connection (RFC 9112 §6.3).
    /// Responses with 204, 304 and 1xx never have a body, and must not, or need not, declare a length (RFC 9110 §8.6).
    package var contentLength: Int? {
        switch body {
        case .none: status.kind == .informational || status == .noContent || status == .notModified ? nil : 0
        case .bytes(let bytes): bytes.count
        case .shared(let bytes): bytes.readableBytes
        case .stream: nil
        }
    }

    /// The fields of the response, complete except for the ones known when it is sent: date, id, and whether the
    /// connection closes.
    package var completeFields: HTTPFields {
        var fields = fields
        if !mediaType.isEmpty { fields[.contentType] = mediaType }
        if let contentLength { fields[.contentLength] = String(contentLength) }
        ResponseHeaders.complete(&fields)
        return fields
    }
}

/// The header fields of every response.
enum ResponseHeaders {
    /// A policy that keeps browsers from running or framing anything, even if a response repeats parts of a link.
    ///
    /// Pages have their own policy.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the fields to a response's own.
    static func complete(_ fields: inout HTTPFields) {
        // Browsers must not guess a type either.
        fields[.xContentTypeOptions] = "nosniff"
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = policy }
        // A response that depends on a user must not be stored (RFC 9111 §5.2.2.5). A storable response has its own
        // field.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
