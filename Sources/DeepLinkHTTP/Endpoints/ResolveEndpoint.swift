import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Resolves a link for a user: `GET` and `POST /v1/resolve`.
struct ResolveEndpoint {
    private static let names = ["link", "user"]

    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .get, path: "/v1/resolve") { request, _ in try resolveQuery(request) },
            Endpoint(method: .post, path: "/v1/resolve") { request, _ in try await resolveBody(request) },
        ]
    }

    private func resolveQuery(_ request: Request) throws -> Response {
        let query = try FormQuery(request.rawQuery, names: Self.names)
        guard let link = query.bytes("link") else {
            throw Problem.invalidRequest(
                field: "link",
                .missing,
                "Name the link, percent-encoded: `/v1/resolve?link=…`."
            )
        }
        let user = try UserNaming.user(try query.text("user"), request.headers)
        return try LinkAnswer(environment: environment).respond(to: link, for: user)
    }

    private func resolveBody(_ request: Request) async throws -> Response {
        _ = try FormQuery(request.rawQuery, names: [])
        let body = try await JSONObjectBody(request, keys: Self.names)
        let link = try body.requiredString("link")
        let user = try UserNaming.user(try body.string("user"), request.headers)
        return try LinkAnswer(environment: environment).respond(to: Array(link.utf8), for: user)
    }
}
