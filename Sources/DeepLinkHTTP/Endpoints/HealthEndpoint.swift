import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers
import HTTPTypes

/// The endpoints of supervisors: `GET /healthz` and `GET /readyz`.
struct HealthEndpoint {
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
    }

    /// The version of the program.
    let version: String

    /// The user states.
    let store: any UserStateStore

    /// The catalog in force.
    let catalog: LiveCatalog

    /// The authentication of callers.
    let authentication: Authentication

    /// The server's load, and whether it is about to stop.
    let load: ServerLoad

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

    /// Returns whether a part is failing now.
    private func fails(_ part: Part) -> Bool {
        switch part {
        case .writes: store.refusesWrites
        case .keys: authentication.endUsers?.hasKeys == false
        case .catalog: catalog.refusal != nil
        case .levels: store.tellsStaleAccess
        }
    }

    private func ready(_ call: EndpointRequest) throws(Problem) -> EndpointResponse {
        guard !load.isDraining else { throw .stopping }
        do { try store.checkUsable() } catch { throw .userStateUnavailable(error) }
        return EndpointResponse(
            HealthBody(
                status: "ready",
                catalogVersion: call.catalog.version,
                catalogRefusal: catalog.refusal,
                degraded: Part.allCases.filter(fails).map(\.rawValue)
            )
        )
    }
}
