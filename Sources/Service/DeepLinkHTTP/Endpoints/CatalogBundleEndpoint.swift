import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The signed catalog for apps that resolve by themselves: `GET /v1/catalog/bundle`.
struct CatalogBundleEndpoint {
    /// The signed catalog.
    let bundle: LiveBundle

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/catalog/bundle",
                access: .resolving,
                handler: .atOnce { call throws(Problem) in try respond(to: call) }
            )
        ]
    }

    private static let signature = HTTPField.Name("Waymark-Signature")

    private func respond(to call: EndpointRequest) throws(Problem) -> EndpointResponse {
        guard let bundle = bundle.current else {
            throw Problem(.notFound, detail: "The server has no signed catalog.")
        }
        var fields: HTTPFields = [.eTag: bundle.tag, .cacheControl: "no-cache"]
        guard !IfNoneMatch.names(bundle.tag, in: call.head.fields.ifNoneMatch) else {
            return EndpointResponse(status: .notModified, fields: fields)
        }
        if let name = Self.signature { fields[name] = bundle.signature }
        return EndpointResponse(json: bundle.body, fields: fields)
    }
}
