import DeepLinkFormats
import HTTPTypes
import Hummingbird
import Logging

/// Turns whatever a request's handling throws into a problem: the one place where errors become responses.
///
/// Problems pass as they are. Anything else is a broken world: it is logged with its cause, and the client
/// learns only the request's id.
struct ProblemMiddleware: RouterMiddleware {
    private let failures = FailureLog()

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            return request.method == .head ? response.createHeadResponse() : response
        } catch {
            let problem = problem(for: error, context)
            let response = Response(problem)
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func problem(for error: any Error, _ context: BasicRequestContext) -> Problem {
        if let problem = error as? Problem {
            if let cause = problem.cause { failures.report("\(problem.code.title).", cause, to: context.logger) }
            return problem
        }
        context.logger.error("The request failed.", metadata: ["error": "\(error)"])
        return Problem(
            .internal,
            "The failure is logged under the request id.",
            [.init("requestId", context.id)]
        )
    }
}
