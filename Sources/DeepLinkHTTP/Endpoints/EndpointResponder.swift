import DeepLinkCore
import Hummingbird

/// Lets a request through to its endpoint: checks host, caller, query and body, in this order.
struct EndpointResponder {
    let environment: ServiceEnvironment
    let endpoint: Endpoint

    func respond(to request: Request, _ context: BasicRequestContext) async throws -> Response {
        let catalog = environment.catalog.current
        let caller: Caller
        if case .everyone = endpoint.access {
            caller = .anyone
        } else {
            try HostPolicy(environment, catalog).check(request.head.authority ?? "")
            caller = try await environment.authentication.caller(request.headers, at: environment.now())
            try endpoint.access.check(caller)
        }
        let query = try FormQuery(request.rawQuery, names: endpoint.query)
        let body = try await body(of: request)
        let call = Call(
            environment: environment,
            request: request,
            caller: caller,
            catalog: catalog,
            query: query,
            body: body,
            parameters: context.parameters
        )
        // Supervisors must learn how a busy server is.
        if case .everyone = endpoint.access { return try await endpoint.respond(call) }
        return try await environment.load.work { try await endpoint.respond(call) }
    }

    private func body(of request: Request) async throws -> JSONObjectBody {
        switch endpoint.body {
        case .none: return .empty
        case .object(let keys): return try await JSONObjectBody(request, keys: keys)
        case .lines:
            try MediaType.ndjson.require(request.headers[.contentType])
            return .empty
        }
    }
}
