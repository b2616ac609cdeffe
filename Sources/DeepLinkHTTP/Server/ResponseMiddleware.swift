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
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
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
        _ context: BasicRequestContext,
        _ next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            // No endpoint of the router: another method, a path of the server's own, or a link.
            return Response(try await EndpointHandler(environment: environment).respond(to: request))
        }
    }

    private func problem(for error: any Error, _ request: Request, _ context: BasicRequestContext) -> Problem {
        if let problem = error as? Problem {
            environment.failures.note(problem)
            return problem
        }
        let id = RequestHead(request, environment).id
        context.logger.error("The request failed.", metadata: ["error": "\(error)", "requestId": "\(id)"])
        return Problem(
            .internal,
            "The failure is logged under the request id.",
            [.init("requestId", id.isEmpty ? context.id : id)]
        )
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
