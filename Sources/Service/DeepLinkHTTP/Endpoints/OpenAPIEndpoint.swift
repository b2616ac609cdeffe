import Crypto
import DeepLinkAuthentication
import DeepLinkFormats
import EmbeddedFiles
import HTTPTypes
import NIOCore

/// The OpenAPI description of the API: `GET /openapi.json`.
enum OpenAPIEndpoint {
    /// The document, read from `Sources/Apps/EmbeddedFiles/openapi.json`.
    private static let document = ByteBuffer(
        bytes: UnsafeBufferPointer(start: openapi_document_bytes(), count: openapi_document_byte_count())
    )

    /// The first 12 hexadecimal digits of the document's SHA-256, as an entity tag.
    private static let tag: String = {
        let digits = SHA256.hash(data: document.readableBytesView).prefix(6)
            .map { byte in String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16) }
        return "\"\(digits.joined())\""
    }()

    static let endpoints = [
        Endpoint(
            .get,
            "/openapi.json",
            access: .everyone,
            handler: .atOnce { call throws(Problem) in
                let fields: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
                guard !IfNoneMatch.names(tag, in: call.head.fields.ifNoneMatch) else {
                    return EndpointResponse(status: .notModified, fields: fields)
                }
                return EndpointResponse(json: document, fields: fields)
            }
        )
    ]
}
