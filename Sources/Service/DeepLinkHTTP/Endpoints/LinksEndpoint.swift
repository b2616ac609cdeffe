import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoint that prints the link to a stack, or to a destination with the stack it needs: `POST /v1/links`.
struct LinksEndpoint {
    let signingKeys: LinkSigningKeys

    var endpoint: Endpoint {
        Endpoint(
            .post,
            "/v1/links",
            access: .resolvingLinks,
            body: .object(keys: LinkBody.keys),
            handler: .ready { call throws(Problem) in
                let (link, stack) = try LinkBody.link(requestedBy: call.body, in: call.catalog)
                return EndpointResponse(LinkBody(link: try signed(link, for: call), stack: stack))
            }
        )
    }

    /// Signs a link if the request asks for it.
    private func signed(_ link: String, for call: EndpointRequest) throws(Problem) -> String {
        guard let signing = try LinkSigning(requestedBy: call.body) else { return link }
        switch call.caller {
        case .anyone, .service(_, .admin): break
        case .person(let person) where person.roles.contains(.admin): break
        case .anonymous: throw .credentialsNeeded
        default: throw .insufficientScope(.admin, reason: "Only the role admin signs links.")
        }
        guard !signingKeys.areMissing else { throw LinkSigning.withoutKeys }
        guard let signed = signingKeys.sign(link, leadingInto: call.catalog, expiry: signing.expiry) else {
            throw .invalidValue(
                field: "sign",
                detail: "No destination of the link is signed; write `signed: true` at its route, or leave `sign` out."
            )
        }
        return signed
    }
}
