package import Hummingbird
package import HummingbirdCore
package import Logging

/// The application that binds the router to a port.
package enum WaymarkApplication {
    /// How many connections may wait to be accepted: more than any system lets, so that its own limit counts
    /// (listen(2): a larger value is capped at `net.core.somaxconn`).
    private static let backlog = 65_535

    /// Sets up each connection: HTTP/1.1, with limits of time and size, and problems also for bytes that are no request.
    package static func server(
        _ environment: ServiceEnvironment,
        limits: ConnectionLimits = ConnectionLimits()
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            ServiceChannel(responder: responder, limits: limits, environment: environment)
        }
    }

    /// Builds the application that serves an environment.
    ///
    /// Once connections are accepted, `onListening` is told the port; it differs from `port` where that is 0.
    package static func build(
        _ environment: ServiceEnvironment,
        host: String,
        port: Int,
        maximumConnections: Int,
        logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> Application<TaskPerRequest<RouterResponder<BasicRequestContext>>> {
        Application(
            responder: TaskPerRequest(WaymarkRouter.build(environment).buildResponder()),
            server: server(environment),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                backlog: backlog,
                availableConnectionsDelegate: .maximum(maximumConnections, logger: logger)
            ),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }
}
