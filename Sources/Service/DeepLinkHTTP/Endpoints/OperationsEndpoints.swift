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
            Endpoint(.get, "/readyz", access: .everyone, handler: .ready(ready)),
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

    var endpoint: Endpoint {
        Endpoint(
            .get,
            "/metrics",
            access: .monitoring,
            produces: .prometheus,
            handler: .later { _ in
                guard let metrics else { throw Problem(.notFound, detail: "This server keeps no metrics.") }
                return EndpointResponse(.prometheus, bytes: metrics.text)
            }
        )
    }
}

/// The endpoint of the OpenAPI description of the API: `GET /openapi.json`.
enum OpenAPIEndpoint {
    /// The document, read from `Sources/Apps/EmbeddedFiles/openapi.json`.
    private static let document = SharedDocument(
        ByteBuffer(bytes: UnsafeBufferPointer(start: openapi_document_bytes(), count: openapi_document_byte_count()))
    )

    static let endpoint = Endpoint(
        .get,
        "/openapi.json",
        access: .everyone,
        handler: .ready { call throws(Problem) in document.response(to: call.head) }
    )
}

/// The endpoint of the counts of requests to this server since it started, and in the last hour: `GET /v1/report`.
struct ReportEndpoint {
    /// The counts of resolutions, or `nil` for none.
    let counts: ResolutionCounts?

    let now: @Sendable () -> Timestamp

    var endpoint: Endpoint {
        Endpoint(
            .get,
            "/v1/report",
            access: .monitoring,
            handler: .later { call in
                guard let counts else { throw Problem(.notFound, detail: "This server counts no resolutions.") }
                return EndpointResponse(
                    counts.report(at: now(), levels: call.catalog.levels, grants: call.catalog.grants)
                )
            }
        )
    }
}
