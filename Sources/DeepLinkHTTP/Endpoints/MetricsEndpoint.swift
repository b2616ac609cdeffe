import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The endpoint that Prometheus reads: `GET /metrics`.
enum MetricsEndpoint {
    static let endpoints = [
        Endpoint(
            .get,
            "/metrics",
            access: .monitoring,
            produces: .prometheus,
            .later { call in
                guard let metrics = call.environment.metrics else {
                    throw Problem(.notFound, detail: "This server keeps no metrics.")
                }
                return EndpointResponse(.prometheus, bytes: metrics.text)
            }
        )
    ]
}
