import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird

/// Answers links themselves: `GET /characters/character/1` with a `Host` is that https link.
struct LinkSurface {
    let environment: ServiceEnvironment

    func respond(to request: Request, from caller: Caller) async throws -> Response {
        let catalog = environment.catalog.current
        let host = try HostPolicy(environment, catalog).linkHost(for: request.head.authority ?? "")
        let target = request.head.path ?? "/"
        guard target.utf8.first == UInt8(ascii: "/") else {
            throw Problem.invalidRequest(field: "target", .malformed, "The request target does not begin with a slash.")
        }
        let arguments = try ResolveArguments(link: Array("https://\(host)\(target)".utf8), request.headers, caller)
        return try await environment.load.work {
            Response(try LinkAnswer(environment, catalog).plan(for: arguments))
        }
    }
}
