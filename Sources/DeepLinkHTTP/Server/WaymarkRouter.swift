package import Hummingbird

/// Puts the endpoints and what stands before them together.
package enum WaymarkRouter {
    /// Builds the router that answers from an environment.
    package static func build(_ environment: ServiceEnvironment) -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        let endpoints = endpoints(environment)
        let hosts = HostPolicy(environment)
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: RequestChecks())
        router.add(middleware: Unrouted(endpoints: endpoints, linkSurface: LinkSurface(environment: environment)))
        for endpoint in endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                if !endpoint.isPublic { try hosts.check(request.head.authority ?? "") }
                return try await endpoint.respond(request, context)
            }
        }
        return router
    }

    /// Lists what the API does; all other paths are links.
    static func endpoints(_ environment: ServiceEnvironment) -> [Endpoint] {
        ResolveEndpoint(environment: environment).endpoints + BatchEndpoint(environment: environment).endpoints
            + ContinuationEndpoint(environment: environment).endpoints
            + LinksEndpoint(environment: environment).endpoints + CatalogEndpoint(environment: environment).endpoints
            + UserEndpoint(environment: environment).endpoints + HealthEndpoint(environment: environment).endpoints
            + OpenAPIEndpoint().endpoints
    }
}
