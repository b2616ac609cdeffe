import DeepLinkFormats
import Hummingbird
import HummingbirdTesting
import Logging
import ServerTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

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
        let responder = ConnectionlessResponder(services: service.connections)
        return try await Application(responder: responder, logger: logger).test(setup, body)
    }

    /// Serves while a body runs, which gets the port.
    func whileServing<Value: Sendable>(_ body: (Int) async throws -> Value) async throws -> Value {
        try await withServer(
            { onListening in
                ApplicationServer(
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
    let services: ConnectionServices

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let responder = services.makeResponder()
        let path = request.head.path ?? "/"
        var fields = RequestFields(wanted: responder.wantedFields(for: path.utf8Span.span))
        for field in request.headers { fields.take(field.name.rawName, value: field.value, own: services.ownFields) }
        if let authority = request.head.authority { fields.replaceHost(with: authority) }
        let id = fields.requestID.first ?? context.id
        let pathByteCount = RequestHead.pathByteCount(of: path)
        let form = responder.route(path, pathByteCount: pathByteCount, by: request.method, fields: fields)
        let head = RequestHead(
            request.method,
            target: path,
            pathByteCount: pathByteCount,
            fields: fields,
            takesLines: form.takesLines,
            id: id
        )
        let response = Response(await responder.deferring(head).response(body: request.body))
        return head.method == .head ? response.withoutBody : response
    }
}
