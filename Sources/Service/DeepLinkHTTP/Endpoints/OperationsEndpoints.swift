import Crypto
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import EmbeddedFiles
import HTTPServer
import HTTPTypes
import NIOCore

/// The endpoints for supervision: `GET /healthz` and `GET /readyz`.
struct HealthEndpoint {
    /// The version of the program.
    let version: String

    /// The health of the server.
    let health: ServiceHealth

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/healthz",
                access: .everyone,
                handler: .ready { _ throws(Problem) in
                    EndpointResponse(HealthBody(status: "alive", version: version))
                }
            ),
            Endpoint(.get, "/readyz", access: .everyone, handler: .ready { call throws(Problem) in try ready(call) }),
        ]
    }

    private func ready(_ call: EndpointRequest) throws(Problem) -> EndpointResponse {
        try health.checkReadiness()
        return EndpointResponse(
            HealthBody(
                status: "ready",
                catalogVersion: call.catalog.version,
                catalogRefusal: health.catalogRefusal,
                degraded: health.failingParts.map(\.rawValue)
            )
        )
    }
}

/// The endpoint of the metrics for Prometheus: `GET /metrics`.
struct MetricsEndpoint {
    /// The metrics of responses and resolutions, or `nil` for none.
    let metrics: ServiceMetrics?

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/metrics",
                access: .monitoring,
                produces: .prometheus,
                handler: .later { _ in
                    guard let metrics else {
                        throw Problem(.notFound, detail: "This server keeps no metrics.")
                    }
                    return EndpointResponse(.prometheus, bytes: metrics.text)
                }
            )
        ]
    }
}

/// The endpoint of the OpenAPI description of the API: `GET /openapi.json`.
enum OpenAPIEndpoint {
    /// The document, read from `Sources/Apps/EmbeddedFiles/openapi.json`.
    private static let document = ByteBuffer(
        bytes: UnsafeBufferPointer(start: openapi_document_bytes(), count: openapi_document_byte_count())
    )

    /// The first 12 hexadecimal digits of the document's SHA-256, as an entity tag.
    private static let tag: String = {
        let digits = SHA256.hash(data: [UInt8](buffer: document)).prefix(6)
            .map { byte in String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16) }
        return "\"\(digits.joined())\""
    }()

    static let endpoints = [
        Endpoint(
            .get,
            "/openapi.json",
            access: .everyone,
            handler: .ready { call throws(Problem) in
                let fields: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
                guard !IfNoneMatch.names(tag, in: call.head.fields.ifNoneMatch) else {
                    return EndpointResponse(status: .notModified, fields: fields)
                }
                return EndpointResponse(json: document, fields: fields)
            }
        )
    ]
}

/// The endpoint of the counts of requests to this server since it started, and in the last hour: `GET /v1/report`.
struct ReportEndpoint {
    /// The counts of resolutions, or `nil` for none.
    let counts: ResolutionCounts?

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/report",
                access: .monitoring,
                handler: .later { call in
                    guard let counts else {
                        throw Problem(.notFound, detail: "This server counts no resolutions.")
                    }
                    let catalog = call.catalog
                    return EndpointResponse(
                        counts.report(at: now(), levels: catalog.levels, grants: catalog.grants)
                    )
                }
            )
        ]
    }
}
