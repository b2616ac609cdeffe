import DeepLinkAuthentication
import DeepLinkCore
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
                guard call.query.hasPlus("link") else { return EndpointResponse(try plan(for: call)) }
                do throws(Problem) {
                    return EndpointResponse(try plan(for: call).adding(hint: plusHint))
                } catch {
                    throw error.adding(hint: plusHint)
                }
            }
        ),
        Endpoint(
            .post,
            path,
            access: .resolvingLinks,
            body: .object(keys: ResolveArguments.names),
            .atOnce { call throws(Problem) in
                let arguments = try ResolveArguments(
                    call.body,
                    call.head.fields.user,
                    call.caller,
                    call.catalog.rootlessSchemes
                )
                return EndpointResponse(try LinkResolver(call).plan(for: arguments))
            }
        ),
    ]

    /// What a client may not know that sends a link as it is.
    private static let plusHint =
        "A `+` in this query is a space. A plus that belongs to the link is `%2B` here, a space in a link `%2520`."

    private static func plan(for call: EndpointRequest) throws(Problem) -> PlanBody {
        let arguments = try ResolveArguments(
            call.query,
            call.head.fields.user,
            call.caller,
            call.catalog.rootlessSchemes
        )
        return try LinkResolver(call).plan(for: arguments)
    }
}
