import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Answers links themselves: `GET /characters/character/1` with a `Host` is that https link.
struct LinkSurface {
    let environment: ServiceEnvironment

    func respond(to request: Request) throws(Problem) -> Response {
        let host = try HostPolicy(environment).linkHost(for: request.head.authority ?? "")
        let target = request.head.path ?? "/"
        guard target.hasPrefix("/") else {
            throw .invalidRequest(field: "target", .malformed, "The request target does not begin with a slash.")
        }
        let arguments = try ResolveArguments(link: Array("https://\(host)\(target)".utf8), request.headers)
        return Response(try LinkAnswer(environment: environment).plan(for: arguments))
    }
}
