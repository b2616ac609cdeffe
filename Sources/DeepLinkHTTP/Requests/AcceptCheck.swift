import DeepLinkFormats
import HTTPTypes
import Hummingbird

/// Refuses requests of clients that cannot read what they would be answered.
struct AcceptCheck: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let type = RequestHeadRules.isBatch(request.head.path ?? "") ? MediaType.ndjson : .json
        guard AcceptHeader.allows(type, request.headers[values: .accept]) else {
            throw Problem(.notAcceptable, "Answers are \(type.rawValue); let `Accept` allow it.")
        }
        return try await next(request, context)
    }
}
