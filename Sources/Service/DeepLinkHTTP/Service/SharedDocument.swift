import Crypto
import DeepLinkCore
import HTTPServer
import HTTPTypes
import NIOCore

/// A document that many responses share, with its entity tag.
struct SharedDocument: Sendable {
    let body: ByteBuffer

    /// The entity tag, with its quotes.
    let tag: String

    /// Creates a document of a version, which is its tag.
    init(_ body: ByteBuffer, version: String) {
        self.body = body
        tag = "\"\(version)\""
    }

    /// Creates a document with the first 12 hexadecimal digits of its SHA-256 as its tag.
    init(_ body: ByteBuffer) {
        self.init(body, version: SHA256.hash(data: [UInt8](buffer: body)).prefix(6).hexadecimal)
    }

    /// Returns the response to a request, which caches may store as the other fields allow.
    ///
    /// A client that already has the document gets 304 without a body (RFC 9110 §13.1.2).
    func response(
        to head: RequestHead,
        ofType mediaType: String = ServerResponse.jsonType,
        fields: HTTPFields = [.cacheControl: "no-cache"]
    ) -> EndpointResponse {
        var tagged: HTTPFields = [.eTag: tag]
        tagged.append(contentsOf: fields)
        guard !IfNoneMatch.names(tag, in: head.fields.ifNoneMatch) else {
            return EndpointResponse(status: .notModified, fields: tagged)
        }
        return EndpointResponse(.shared(body), ofType: mediaType, fields: tagged)
    }
}
