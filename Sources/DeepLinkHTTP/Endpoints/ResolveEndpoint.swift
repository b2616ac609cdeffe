import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The resolution of a link for a user: `GET` and `POST /v1/resolve`.
struct ResolveEndpoint {
    private static let path = "/v1/resolve"

    /// The resolution of links.
    let resolver: LinkResolver

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                Self.path,
                access: .resolvingLinks,
                query: ResolveArguments.names,
                handler: LevelHandler(resolver: resolver) { call throws(Problem) in
                    do throws(Problem) {
                        return try ResolveArguments(queryOf: call)
                    } catch {
                        throw call.query.hasPlus("link") ? error.adding(hint: Self.plusHint) : error
                    }
                } respond: { call, arguments, level throws(Problem) in
                    guard call.query.hasPlus("link") else {
                        return EndpointResponse(try resolver.plan(for: arguments, at: level, in: call))
                    }
                    do throws(Problem) {
                        return EndpointResponse(
                            try resolver.plan(for: arguments, at: level, in: call).adding(hint: Self.plusHint)
                        )
                    } catch {
                        throw error.adding(hint: Self.plusHint)
                    }
                }
                .handler
            ),
            Endpoint(
                .post,
                Self.path,
                access: .resolvingLinks,
                body: .object(keys: ResolveArguments.names),
                handler: LevelHandler(resolver: resolver) { call throws(Problem) in
                    try ResolveArguments(
                        body: call.body,
                        fields: call.head.fields,
                        caller: call.caller,
                        rootless: call.catalog.rootlessSchemes
                    )
                } respond: { call, arguments, level throws(Problem) in
                    EndpointResponse(try resolver.plan(for: arguments, at: level, in: call))
                }
                .handler
            ),
        ]
    }

    /// A hint for clients that send a link without percent-encoding it.
    private static let plusHint =
        "A `+` in this query is a space. A plus that belongs to the link is `%2B` here, a space in a link `%2520`."
}
