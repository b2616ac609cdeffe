import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird

/// Tells supervisors how the server is: `GET /healthz` and `GET /readyz`.
enum HealthEndpoint {
    static let endpoints = [
        Endpoint(method: .get, path: "/healthz", access: .everyone) { _ in
            Response(HealthBody(status: "alive"))
        },
        Endpoint(method: .get, path: "/readyz", access: .everyone) { call in try ready(call) },
    ]

    private static func ready(_ call: Call) throws(Problem) -> Response {
        let environment = call.environment
        guard !environment.load.isDraining else { throw .stopping }
        try environment.reading { try $0.checkUsable() }
        return Response(
            HealthBody(
                status: "ready",
                catalogVersion: call.catalog.version,
                catalogRefusal: environment.catalog.refusal
            )
        )
    }
}
