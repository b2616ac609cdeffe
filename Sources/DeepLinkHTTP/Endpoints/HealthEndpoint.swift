import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Tells supervisors how the server is: `GET /healthz` and `GET /readyz`.
struct HealthEndpoint {
    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .get, path: "/healthz") { _, _ in
                Response(HealthBody(status: "alive", catalogVersion: nil))
            },
            Endpoint(method: .get, path: "/readyz") { _, _ in try ready() },
        ]
    }

    private func ready() throws(Problem) -> Response {
        do {
            try environment.store.checkUsable()
        } catch {
            throw .userStateUnavailable(error)
        }
        return Response(HealthBody(status: "ready", catalogVersion: environment.catalog.version))
    }
}
