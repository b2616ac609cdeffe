package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Hummingbird's router for what is not answered at once: the endpoints and what stands before them.
package enum WaymarkRouter {
    /// Builds the router that answers from an environment.
    package static func build(_ environment: ServiceEnvironment) -> Router<RoutedContext> {
        let router = Router(context: RoutedContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseMiddleware(environment: environment))
        let responder = EndpointHandler(environment: environment)
        for endpoint in environment.endpoints.endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                Response(try await responder.respond(to: request, from: context.peer))
            }
        }
        return router
    }

    /// Builds what lets the router answer a request of a connection.
    static func responder(_ environment: ServiceEnvironment, _ logger: Logger) -> HTTPChannelHandler.Responder {
        let responder = TaskPerRequestResponder(build(environment).buildResponder())
        return { request, writer, channel in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            let admission = environment.observer.map { _ in RoutedAdmission() }
            var response = try await RoutedAdmission.$current.withValue(admission) {
                try await responder.respond(to: request, context: RoutedContext(source: source))
            }
            // It goes ahead of the answer, on the same way.
            if let note = admission?.note { channel.triggerUserOutboundEvent(note, promise: nil) }
            var date = HTTPDate()
            response.headers[.date] = date.string(at: environment.now())
            try await writer.write(response: response.head, body: response.body)
        }
    }
}

/// What the router knows of a request beside the request itself.
package struct RoutedContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    /// The other side of the connection.
    let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
    }
}
