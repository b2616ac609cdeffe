import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The link that leads to a stack, or to a destination over whatever else is needed: `POST /v1/links`.
enum LinksEndpoint {
    static let endpoints = [
        Endpoint(
            .post,
            "/v1/links",
            access: .services,
            body: .object(keys: ["stack", "route", "parameters", "scheme"]),
            .atOnce { call throws(Problem) in EndpointResponse(LinkBody(link: try link(for: call))) }
        )
    ]

    private static func link(for call: EndpointRequest) throws(Problem) -> String {
        let scheme = try call.body.string("scheme")
        guard let value = call.body["stack"] else { return try linkToRoute(for: call, scheme) }
        for key in ["route", "parameters"] where call.body[key] != nil {
            throw .invalidRequest(field: key, .conflict, "Send `stack`, or `route` with its `parameters`, not both.")
        }
        let stack = try value.stack(field: "stack")
        guard !stack.isEmpty else {
            throw .invalidRequest(field: "stack", .invalidValue, "`stack` is empty; name at least its root.")
        }
        do throws(LinkBuildingError) {
            return try DeepLinkCore.link(to: stack, scheme: scheme, catalog: call.catalog)
        } catch {
            throw Problem(error)
        }
    }

    private static func linkToRoute(for call: EndpointRequest, _ scheme: String?) throws(Problem) -> String {
        guard let route = try call.body.string("route") else {
            throw .invalidRequest(field: "stack", .missing, "The body has neither `stack` nor `route`.")
        }
        let parameters = try call.body["parameters"]?.parameters(field: "parameters", name: "`parameters`") ?? []
        do throws(LinkBuildingError) {
            return try DeepLinkCore.link(toRoute: route, parameters: parameters, scheme: scheme, catalog: call.catalog)
        } catch {
            throw Problem(error)
        }
    }
}
