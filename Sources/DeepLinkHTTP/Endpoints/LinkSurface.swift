import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Answers links themselves: `GET /characters/character/1` with a `Host` is that https link.
struct LinkSurface {
    let environment: ServiceEnvironment

    func respond(to request: Request) throws(Problem) -> Response {
        let host = try HostPolicy(environment).linkHost(for: request.head.authority ?? "")
        let user = try UserNaming.user(nil, request.headers)
        let target = request.head.path ?? "/"
        guard target.hasPrefix("/") else {
            throw .invalidRequest(field: "target", .malformed, "The request target does not begin with a slash.")
        }
        return try LinkAnswer(environment: environment).respond(to: Array("https://\(host)\(target)".utf8), for: user)
    }
}
