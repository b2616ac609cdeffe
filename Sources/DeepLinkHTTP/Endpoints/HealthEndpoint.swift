import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The endpoints of supervisors: `GET /healthz` and `GET /readyz`.
enum HealthEndpoint {
    static let endpoints = [
        Endpoint(
            .get,
            "/healthz",
            access: .everyone,
            .atOnce { call throws(Problem) in
                EndpointResponse(HealthBody(status: "alive", version: call.environment.version))
            }
        ),
        Endpoint(.get, "/readyz", access: .everyone, .atOnce { call throws(Problem) in try ready(call) }),
    ]

    private static func ready(_ call: EndpointRequest) throws(Problem) -> EndpointResponse {
        let environment = call.environment
        guard !environment.load.isDraining else { throw .stopping }
        try environment.reading { try $0.checkUsable() }
        return EndpointResponse(
            HealthBody(
                status: "ready",
                catalogVersion: call.catalog.version,
                catalogRefusal: environment.catalog.refusal
            )
        )
    }
}
