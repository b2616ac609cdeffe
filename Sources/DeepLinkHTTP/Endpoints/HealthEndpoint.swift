import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Tells supervisors how the server is: `GET /healthz` and `GET /readyz`.
struct HealthEndpoint {
    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .get, path: "/healthz", isPublic: true) { request, _ in
                _ = try FormQuery(request.rawQuery, names: [])
                return Response(HealthBody(status: "alive", catalogVersion: nil))
            },
            Endpoint(method: .get, path: "/readyz", isPublic: true) { request, _ in
                _ = try FormQuery(request.rawQuery, names: [])
                return try ready()
            },
        ]
    }

    private func ready() throws(Problem) -> Response {
        try environment.reading { try $0.checkUsable() }
        return Response(HealthBody(status: "ready", catalogVersion: environment.catalog.version))
    }
}
