import HTTPTypes
import Hummingbird

/// Adds the header fields that every response has.
struct ResponseFields: RouterMiddleware {
    /// Keeps browsers from guessing a type, and from running or framing anything, whatever an answer repeats of a
    /// link; nothing here is a page.
    private static let all: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    ]

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        Self.complete(&response.headers)
        return response
    }

    /// Adds the fields to those of one response.
    static func complete(_ fields: inout HTTPFields) {
        fields.append(contentsOf: all)
        // What depends on a user is kept nowhere (RFC 9111 §5.2.2.5); who may be kept says so.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
