import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The link that leads to a stack: `POST /v1/links`.
enum LinksEndpoint {
    static let endpoints = [
        Endpoint(
            .post,
            "/v1/links",
            access: .services,
            body: .object(keys: ["stack", "scheme"]),
            .atOnce { call throws(Problem) in EndpointResponse(LinkBody(link: try link(for: call))) }
        )
    ]

    private static func link(for call: EndpointRequest) throws(Problem) -> String {
        guard let value = call.body["stack"] else {
            throw .invalidRequest(field: "stack", .missing, "The body has no `stack`.")
        }
        let stack = try value.stack(field: "stack")
        guard !stack.isEmpty else {
            throw .invalidRequest(field: "stack", .invalidValue, "`stack` is empty; name at least its root.")
        }
        let scheme = try call.body.string("scheme")
        do throws(LinkBuildingError) {
            return try DeepLinkCore.link(to: stack, scheme: scheme, catalog: call.catalog)
        } catch {
            throw Problem(error)
        }
    }
}
