import DeepLinkAuthentication
import DeepLinkFormats
import DeepLinkReporting
import HTTPTypes

/// The counts of requests to this server since it started, and in the last hour: `GET /v1/report`.
enum ReportEndpoint {
    static let endpoints = [
        Endpoint(
            .get,
            "/v1/report",
            access: .monitoring,
            .later { call in
                guard let counts = call.environment.resolutions else {
                    throw Problem(.notFound, detail: "This server counts no resolutions.")
                }
                return EndpointResponse(counts.report(at: call.environment.now()))
            }
        )
    ]
}
