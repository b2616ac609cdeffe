import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The resolution of a link for a user: `GET` and `POST /v1/resolve`.
enum ResolveEndpoint {
    private static let path = "/v1/resolve"

    static let endpoints = [
        Endpoint(
            .get,
            path,
            access: .resolvingLinks,
            query: ResolveArguments.names,
            .atOnce { call throws(Problem) in
                let arguments = try ResolveArguments(call.query, call.head.fields.user, call.caller)
                return EndpointResponse(try LinkResolver(call).plan(for: arguments))
            }
        ),
        Endpoint(
            .post,
            path,
            access: .resolvingLinks,
            body: .object(keys: ResolveArguments.names),
            .atOnce { call throws(Problem) in
                let arguments = try ResolveArguments(call.body, call.head.fields.user, call.caller)
                return EndpointResponse(try LinkResolver(call).plan(for: arguments))
            }
        ),
    ]
}
