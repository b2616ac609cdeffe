import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import HTTPTypes

/// The counts of requests to this server since it started, and in the last hour: `GET /v1/report`.
struct ReportEndpoint {
    /// The counts of resolutions; `nil` for none.
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
