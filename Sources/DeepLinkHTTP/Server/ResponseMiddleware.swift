import DeepLinkFormats
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The outermost middleware: it turns whatever the handling of a request throws into a problem, and completes the
/// response.
///
/// Problems pass as they are. Anything else is a broken world: it is logged with its cause, and the client learns only
/// the request's id.
struct ResponseMiddleware: RouterMiddleware {
    let environment: ServiceEnvironment

    func handle(
        _ request: Request,
        context: RoutedContext,
        next: @concurrent (Request, RoutedContext) async throws -> Response
    ) async throws -> Response {
        let response: Response
        do {
            response = try await answer(request, context, next)
        } catch {
            response = Response(EndpointResponse(problem(for: error, request, context)))
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        _ request: Request,
        _ context: RoutedContext,
        _ next: @concurrent (Request, RoutedContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            // No endpoint of the router: another method, a path of the server's own, or a link.
            return Response(
                try await EndpointHandler(environment: environment).respond(to: request, from: context.peer)
            )
        }
    }

    private func problem(for error: any Error, _ request: Request, _ context: RoutedContext) -> Problem {
        let head = RequestHead(request, environment)
        let id = head.id.isEmpty ? context.id : head.id
        if let problem = error as? Problem {
            environment.failures.note(problem, of: id)
            return problem.identified(by: id)
        }
        context.logger.error("The request failed.", metadata: ["error": "\(error)", "requestId": "\(id)"])
        return Problem(.internal, "The failure is logged under the request id.").identified(by: id)
    }
}

extension Response {
    /// Takes an answer to Hummingbird.
    init(_ response: EndpointResponse) {
        let body =
            switch response.body {
            case .none: ResponseBody()
            case .json(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            case .document(let bytes): ResponseBody(byteBuffer: bytes)
            case .stream(let stream): stream
            }
        self.init(status: response.status, headers: response.completeFields, body: body)
    }
}
