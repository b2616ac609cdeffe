import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Hummingbird

/// The way of a request to its endpoint: host, caller, query and body are checked, in this order.
struct EndpointResponder {
    let environment: ServiceEnvironment
    let endpoint: Endpoint

    func respond(to request: Request, _ context: BasicRequestContext) async throws -> Response {
        let catalog = environment.catalog.current
        let isForEveryone = endpoint.access == .everyone
        let caller = isForEveryone ? .anyone : try await caller(of: request, catalog)
        let query = try FormQuery(request.rawQuery, names: endpoint.query)
        var kept = KeptBytes(of: environment.load.arriving)
        let bytes = try await receive(request, &kept)
        // Supervisors must learn how a busy server is.
        if isForEveryone { return try await endpoint.respond(call(request, context, caller, catalog, query, .empty)) }
        // What has arrived whole is read within the limit: reading a large body is work.
        return try await environment.load.work {
            try await endpoint.respond(call(request, context, caller, catalog, query, try body(bytes)))
        }
    }

    private func call(
        _ request: Request,
        _ context: BasicRequestContext,
        _ caller: Caller,
        _ catalog: RouteCatalog,
        _ query: FormQuery,
        _ body: JSONObjectBody
    ) -> Call {
        Call(
            environment: environment,
            request: request,
            caller: caller,
            catalog: catalog,
            query: query,
            body: body,
            parameters: context.parameters
        )
    }

    private func caller(of request: Request, _ catalog: RouteCatalog) async throws(Problem) -> Caller {
        try HostPolicy(environment, catalog).check(request.head.authority ?? "")
        let caller = try await environment.authentication.caller(request.headers, at: environment.now())
        try endpoint.access.check(caller)
        return caller
    }

    private func receive(_ request: Request, _ kept: inout KeptBytes) async throws -> [UInt8] {
        switch endpoint.body {
        case .none: return []
        case .object: return try await JSONObjectBody.receive(request, keeping: &kept)
        case .lines:
            try MediaType.ndjson.require(request.headers[.contentType])
            return []
        }
    }

    private func body(_ bytes: [UInt8]) throws(Problem) -> JSONObjectBody {
        if case .object(let keys) = endpoint.body { try JSONObjectBody(bytes, keys: keys) } else { .empty }
    }
}
