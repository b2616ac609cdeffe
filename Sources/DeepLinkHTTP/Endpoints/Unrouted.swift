import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird

/// Answers what no endpoint matches: other methods of a known path, the server's own empty paths, and links.
struct Unrouted: RouterMiddleware {
    let endpoints: [Endpoint]
    let linkSurface: LinkSurface

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return try await respond(to: request)
        }
    }

    private func respond(to request: Request) async throws -> Response {
        let environment = linkSurface.environment
        let caller = try await environment.authentication.caller(request.headers, at: environment.now())
        let path = request.uri.path
        let methods = endpoints.filter { $0.matches(path) }.map(\.method)
        guard methods.isEmpty else { return try refuse(request.method, allowed: methods, path) }
        if let first = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).first,
            ReservedPath.contains(Substring(first))
        {
            throw Problem(.notFound, "The server has nothing at \(path).")
        }
        guard request.method == .get || request.method == .head else {
            return try refuse(request.method, allowed: [.get], path)
        }
        return try await linkSurface.respond(to: request, from: caller)
    }

    /// Refuses a method, or lists the ones there are for `OPTIONS` (RFC 9110 §9.3.7).
    private func refuse(
        _ method: HTTPRequest.Method,
        allowed methods: [HTTPRequest.Method],
        _ path: String
    ) throws -> Response {
        var names = methods.map(\.rawValue)
        if names.contains("GET") { names.append("HEAD") }
        names.append("OPTIONS")
        let allow = names.sorted().joined(separator: ", ")
        let headers: HTTPFields = [.allow: allow]
        if method == .options { return Response(status: .noContent, headers: headers) }
        throw Problem(.methodNotAllowed, "\(path) takes \(allow).", headers: headers)
    }
}
