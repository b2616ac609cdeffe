package import Hummingbird

/// Puts the endpoints and what stands before them together.
package enum WaymarkRouter {
    /// Everything the API does, but for the link surface.
    static let endpoints =
        ResolveEndpoint.endpoints + BatchEndpoint.endpoints + ContinuationEndpoint.endpoints + LinksEndpoint.endpoints
        + CatalogEndpoint.endpoints + UserEndpoint.endpoints + HealthEndpoint.endpoints
        + OpenAPIEndpoint.endpoints

    /// Builds the router that answers from an environment.
    package static func build(_ environment: ServiceEnvironment) -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseFields())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: AcceptCheck())
        router.add(middleware: Unrouted(endpoints: endpoints, linkSurface: LinkSurface(environment: environment)))
        for endpoint in endpoints {
            let responder = EndpointResponder(environment: environment, endpoint: endpoint)
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                try await responder.respond(to: request, context)
            }
        }
        return router
    }
}
