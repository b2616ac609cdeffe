import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerTestSupport
import ServiceLifecycle
import Synchronization
import Testing

/// An identity provider's server on a loopback port, whose answer can be changed.
final class JWKSServer: Sendable {
    /// An answer of the server.
    struct Answer: Sendable {
        var status = HTTPResponse.Status.ok
        var body: [UInt8] = []
        var location: String?
        var delay = Duration.zero
    }

    private struct State {
        var answer: Answer
        var requests: [String] = []
    }

    private let state: Mutex<State>
    private let port = Mutex(0)

    private init(_ answer: Answer) {
        state = Mutex(State(answer: answer))
    }

    /// The paths that were asked for.
    var requests: [String] { state.withLock(\.requests) }

    /// The URL of the keys.
    var url: String { "http://127.0.0.1:\(port.withLock(\.self))/jwks.json" }

    /// Changes the answer.
    func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }

    /// Changes the answer to a good one.
    func answer(_ document: [UInt8]) { answer(Answer(body: document)) }

    /// Runs a server while a body runs.
    static func with(_ answer: Answer, _ body: @Sendable @escaping (JWKSServer) async throws -> Void) async throws {
        let server = JWKSServer(answer)
        let router = Router()
        router.get("**") { request, _ in
            let answer = server.state.withLock { state in
                state.requests.append(request.uri.path)
                return state.answer
            }
            if answer.delay > .zero {
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: answer.delay) }
            }
            var headers: HTTPFields = [.contentType: "application/json"]
            if let location = answer.location, request.uri.path == "/jwks.json" {
                headers[.location] = location
                return Response(status: answer.status, headers: headers)
            }
            let status = answer.location == nil ? answer.status : .ok
            return Response(
                status: status,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
            )
        }
        var logger = Logger(label: "jwks")
        logger.logLevel = .critical
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
        func service(_ onListening: @escaping @Sendable (Int) -> Void) -> any Service {
            Application(
                router: router,
                configuration: configuration,
                onServerRunning: { channel in channel.localAddress?.port.map(onListening) },
                logger: logger
            )
        }
        try await withServer(service) { port in
            server.port.withLock { $0 = port }
            try await body(server)
        }
    }
}
