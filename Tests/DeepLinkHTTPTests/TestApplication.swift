import DeepLinkFormats
import Hummingbird
import HummingbirdTesting
import Logging
import ServerTestSupport

@testable import DeepLinkHTTP

/// The service under test: what it answers in a task by itself, or a server on a free port.
struct TestApplication {
    let service: TestService
    let limits: ConnectionLimits

    private var logger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// Asks the responder that answers in a task, without a connection.
    func test<Value>(
        _ setup: TestingSetup,
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let responder = ConnectionlessResponder(
            responder: DeferredResponder(services: service.connections, logger: logger)
        )
        return try await Application(responder: responder, logger: logger).test(setup, body)
    }

    /// Serves while a body runs, which gets the port.
    func whileServing<Value: Sendable>(_ body: (Int) async throws -> Value) async throws -> Value {
        try await withServer(
            { onListening in
                WaymarkServer(
                    service.connections,
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

/// The responder of deferred requests behind Hummingbird's test client, which stands for a connection.
private struct ConnectionlessResponder: HTTPResponder {
    let responder: DeferredResponder

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let services = responder.services
        let path = request.head.path ?? "/"
        var fields = RequestFields(wanted: services.wantedFields.onTheWay(to: path.utf8Span.span))
        for field in request.headers { fields.take(field.name.rawName, value: field.value) }
        if let authority = request.head.authority { fields.replaceHost(with: authority) }
        let id = fields.requestID.first ?? context.id
        let head = RequestHead(
            request.method,
            target: path,
            fields: fields,
            id: id,
            of: services.endpoints
        )
        let deferred = DeferredRequest(head, admitted: nil, from: nil, note: nil)
        return await responder.respond(to: deferred, body: request.body)
    }
}
