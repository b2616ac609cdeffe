import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird

/// Resolves a link for a user: `GET` and `POST /v1/resolve`.
enum ResolveEndpoint {
    private static let path = "/v1/resolve"

    /// Who may resolve.
    static let access = Access.resolving

    static let endpoints = [
        Endpoint(method: .get, path: path, access: access, query: ResolveArguments.names) { call in
            Response(try LinkAnswer(call).plan(for: ResolveArguments(call.query, call.request.headers, call.caller)))
        },
        Endpoint(method: .post, path: path, access: access, body: .object(keys: ResolveArguments.names)) { call in
            Response(try LinkAnswer(call).plan(for: ResolveArguments(call.body, call.request.headers, call.caller)))
        },
    ]
}
