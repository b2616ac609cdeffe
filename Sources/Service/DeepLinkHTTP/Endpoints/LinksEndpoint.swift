import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoint that prints the link to a stack, or to a destination with the stack it needs: `POST /v1/links`.
struct LinksEndpoint {
    /// The keys that sign links.
    let signingKeys: LinkSigningKeys

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .post,
                "/v1/links",
                access: .resolvingLinks,
                body: .object(keys: ["stack", "route", "parameters", "scheme", "sign", "expires"]),
                handler: .ready { call throws(Problem) in
                    let (link, stack) = try Self.link(for: call)
                    return EndpointResponse(LinkBody(link: try signed(link, for: call), stack: stack))
                }
            )
        ]
    }

    /// Signs a link if the request asks for it.
    private func signed(_ link: String, for call: EndpointRequest) throws(Problem) -> String {
        let expiry = try call.body.timestamp("expires")
        guard try call.body.bool("sign") == true else {
            guard expiry == nil else {
                throw .conflict(field: "expires", detail: "`expires` is signed with the link; send `sign`.")
            }
            return link
        }
        switch call.caller {
        case .anyone, .service(_, .admin): break
        case .person(let person) where person.roles.contains(.admin): break
        case .anonymous: throw .credentialsNeeded
        default: throw .insufficientScope(.admin, reason: "Only the role admin signs links.")
        }
        guard !signingKeys.areMissing else {
            throw .invalidValue(
                field: "sign",
                detail: "This service has no keys that sign links; its operator names their file by `signing.keys`."
            )
        }
        guard let signed = signingKeys.sign(link, leadingInto: call.catalog, expiry: expiry) else {
            throw .invalidValue(
                field: "sign",
                detail: "No destination of the link is signed; write `signed: true` at its route, or leave `sign` out."
            )
        }
        return signed
    }

    /// Returns the link, and its stack if the catalog chose it.
    private static func link(for call: EndpointRequest) throws(Problem) -> (String, stack: [Destination]?) {
        let scheme = try call.body.string("scheme")
        guard let value = call.body["stack"] else { return try linkToRoute(for: call, scheme: scheme) }
        for key in ["route", "parameters"] where call.body[key] != nil {
            throw .conflict(field: key, detail: "Send `stack`, or `route` with its `parameters`, not both.")
        }
        return (try LinkBody.link(to: value, scheme: scheme, in: call.catalog), nil)
    }

    private static func linkToRoute(
        for call: EndpointRequest,
        scheme: String?
    ) throws(Problem) -> (String, stack: [Destination]?) {
        guard let route = try call.body.string("route") else {
            throw .missing(field: "stack", detail: "The body has neither `stack` nor `route`.")
        }
        let parameters = try call.body["parameters"]?.parameters(field: "parameters", name: "`parameters`") ?? []
        do throws(LinkBuildingError) {
            let link = try DeepLinkCore.link(
                toRoute: route,
                parameters: parameters,
                scheme: scheme,
                catalog: call.catalog
            )
            return (link.link, link.stack)
        } catch {
            throw Problem(error)
        }
    }
}
