import HTTPTypes
import Hummingbird

/// Adds the header fields that every response has.
struct ResponseFields: RouterMiddleware {
    /// Keeps browsers from guessing a type, and from running or framing anything, whatever an answer repeats of a
    /// link; nothing here is a page.
    static let all: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    ]

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers.append(contentsOf: Self.all)
        // What depends on a user is kept nowhere (RFC 9111 §5.2.2.5); who may be kept says so.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
