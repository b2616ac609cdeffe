import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Answers links themselves: `GET /characters/character/1` with a `Host` is that https link.
struct LinkSurface {
    let environment: ServiceEnvironment

    func respond(to request: Request) throws(Problem) -> Response {
        let authority = request.head.authority ?? ""
        let host = try linkHost(for: authority)
        let user = try UserNaming.user(nil, request.headers)
        let target = request.head.path ?? "/"
        return try LinkAnswer(environment: environment).respond(to: Array("https://\(host)\(target)".utf8), for: user)
    }

    /// Finds the host of the link: the request's, if an https origin has it, else possibly the first origin's.
    ///
    /// Only a loopback name or an address may stand for an origin: a page whose own host name was made to point
    /// here (DNS rebinding) gets no answer.
    private func linkHost(for authority: String) throws(Problem) -> String {
        let origins = environment.catalog.origins.filter { $0.scheme == "https" }
        guard let first = origins.first?.hosts.first else {
            throw Problem(.notFound, "The catalog has no https origin, so the server answers no web links.")
        }
        let name = authority.lowercased()
        if origins.contains(where: { $0.hosts.contains(name) }) { return name }
        if environment.servesAnyAddress, HostName(authority: name).isLocal { return first }
        throw Problem(
            .misdirectedRequest,
            "This server does not answer for the host `\(authority)`; its first is `\(first)`."
        )
    }
}
