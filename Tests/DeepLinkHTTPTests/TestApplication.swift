import Hummingbird
import HummingbirdTesting
import Logging
import ServerTestSupport

@testable import DeepLinkHTTP

/// The service under test: its router by itself, or a server on a free port.
struct TestApplication {
    let environment: ServiceEnvironment
    let limits: ConnectionLimits

    private var logger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// Asks the router, without a connection.
    func test<Value>(
        _ setup: TestingSetup,
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let responder = TaskPerRequestResponder(WaymarkRouter.build(environment).buildResponder())
        return try await Application(responder: responder, logger: logger).test(setup, body)
    }

    /// Serves while a body runs, which gets the port.
    func whileServing<Value: Sendable>(_ body: (Int) async throws -> Value) async throws -> Value {
        try await withServer(
            { onListening in
                WaymarkServer(
                    environment,
                    host: "127.0.0.1",
                    port: 0,
                    maximumConnections: .max,
                    limits: limits,
                    logger: logger
                ) { port in onListening(port) }
            },
            body
        )
    }
}
