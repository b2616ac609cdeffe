import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The endpoint that Prometheus reads: `GET /metrics`.
struct MetricsEndpoint {
    /// The metrics of answers and resolutions; `nil` for none.
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
