package import Hummingbird

/// Hummingbird's router for what is not answered at once: the endpoints and what stands before them.
package enum WaymarkRouter {
    /// Builds the router that answers from an environment.
    package static func build(_ environment: ServiceEnvironment) -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseMiddleware(environment: environment))
        let responder = EndpointResponder(environment: environment)
        for endpoint in environment.endpoints.endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, _ in
                Response(try await responder.respond(to: request))
            }
        }
        return router
    }
}
