import DeepLinkCore
import Hummingbird

/// Lets a request through to its endpoint: checks host, caller, query and body, in this order.
struct EndpointResponder {
    let environment: ServiceEnvironment
    let endpoint: Endpoint

    func respond(to request: Request, _ context: BasicRequestContext) async throws -> Response {
        let catalog = environment.catalog.current
        let isForEveryone = endpoint.access == .everyone
        let caller = isForEveryone ? .anyone : try await caller(of: request, catalog)
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
        if isForEveryone { return try await endpoint.respond(call) }
        return try await environment.load.work { try await endpoint.respond(call) }
    }

    private func caller(of request: Request, _ catalog: RouteCatalog) async throws(Problem) -> Caller {
        try HostPolicy(environment, catalog).check(request.head.authority ?? "")
        let caller = try await environment.authentication.caller(request.headers, at: environment.now())
        try endpoint.access.check(caller)
        return caller
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
