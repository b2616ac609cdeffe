import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers
import HTTPTypes

/// The endpoints of supervisors: `GET /healthz` and `GET /readyz`.
enum HealthEndpoint {
    /// The parts of a server that may fail while links are resolved.
    private enum Part: String, CaseIterable {
        /// Changes are refused.
        case writes

        /// There are no keys to verify end users' tokens with.
        case keys = "jwt-keys"

        /// A newer catalog than the one in force was refused.
        case catalog

        /// Levels are answered from memory, and may be out of date.
        case levels

        /// Returns whether the part is failing now.
        func fails(in environment: ServiceEnvironment) -> Bool {
            switch self {
            case .writes: environment.store.refusesWrites
            case .keys: environment.authentication.endUsers?.hasKeys == false
            case .catalog: environment.catalog.refusal != nil
            case .levels: environment.store.tellsStaleGrants
            }
        }
    }

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
                catalogRefusal: environment.catalog.refusal,
                degraded: Part.allCases.filter { $0.fails(in: environment) }.map(\.rawValue)
            )
        )
    }
}
