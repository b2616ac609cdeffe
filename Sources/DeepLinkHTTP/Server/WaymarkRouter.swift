package import Hummingbird
import HummingbirdCore
import Logging

/// Hummingbird's router for what is not answered at once: the endpoints and what stands before them.
package enum WaymarkRouter {
    /// Builds the router that answers from an environment.
    package static func build(_ environment: ServiceEnvironment) -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseMiddleware(environment: environment))
        let responder = EndpointHandler(environment: environment)
        for endpoint in environment.endpoints.endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, _ in
                Response(try await responder.respond(to: request))
            }
        }
        return router
    }

    /// Builds what lets the router answer a request of a connection.
    static func responder(_ environment: ServiceEnvironment, _ logger: Logger) -> HTTPChannelHandler.Responder {
        let responder = TaskPerRequestResponder(build(environment).buildResponder())
        return { request, writer, channel in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            var response = try await responder.respond(to: request, context: BasicRequestContext(source: source))
            var date = HTTPDate()
            response.headers[.date] = date.string(at: environment.now())
            try await writer.write(response: response.head, body: response.body)
        }
    }
}
