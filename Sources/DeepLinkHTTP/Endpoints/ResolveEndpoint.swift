import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Resolves a link for a user: `GET` and `POST /v1/resolve`.
struct ResolveEndpoint {
    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .get, path: "/v1/resolve") { request, _ in
                let query = try FormQuery(request.rawQuery, names: ResolveArguments.names)
                return try respond(to: ResolveArguments(query, request.headers))
            },
            Endpoint(method: .post, path: "/v1/resolve") { request, _ in
                _ = try FormQuery(request.rawQuery, names: [])
                let body = try await JSONObjectBody(request, keys: ResolveArguments.names)
                return try respond(to: ResolveArguments(body, request.headers))
            },
        ]
    }

    private func respond(to arguments: ResolveArguments) throws(Problem) -> Response {
        Response(try LinkAnswer(environment: environment).plan(for: arguments))
    }
}
