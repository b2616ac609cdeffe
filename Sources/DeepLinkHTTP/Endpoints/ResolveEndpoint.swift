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
            LevelHandler { call throws(Problem) in
                do throws(Problem) {
                    return try ResolveArguments(call.query, call.head.fields, call.caller, call.catalog.rootlessSchemes)
                } catch {
                    throw call.query.hasPlus("link") ? error.adding(hint: plusHint) : error
                }
            } respond: { call, arguments, level throws(Problem) in
                let resolver = LinkResolver(call)
                guard call.query.hasPlus("link") else {
                    return EndpointResponse(try resolver.plan(for: arguments, level))
                }
                do throws(Problem) {
                    return EndpointResponse(try resolver.plan(for: arguments, level).adding(hint: plusHint))
                } catch {
                    throw error.adding(hint: plusHint)
                }
            }
            .handler
        ),
        Endpoint(
            .post,
            path,
            access: .resolvingLinks,
            body: .object(keys: ResolveArguments.names),
            LevelHandler { call throws(Problem) in
                try ResolveArguments(call.body, call.head.fields, call.caller, call.catalog.rootlessSchemes)
            } respond: { call, arguments, level throws(Problem) in
                EndpointResponse(try LinkResolver(call).plan(for: arguments, level))
            }
            .handler
        ),
    ]

    /// A hint for clients that send a link without percent-encoding it.
    private static let plusHint =
        "A `+` in this query is a space. A plus that belongs to the link is `%2B` here, a space in a link `%2520`."
}
