import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The endpoints of supervisors: `GET /healthz` and `GET /readyz`.
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
                handler: .atOnce { _ throws(Problem) in
                    EndpointResponse(HealthBody(status: "alive", version: version))
                }
            ),
            Endpoint(.get, "/readyz", access: .everyone, handler: .atOnce { call throws(Problem) in try ready(call) }),
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
