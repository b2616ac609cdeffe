import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The signed catalog for apps that resolve by themselves: `GET /v1/catalog/bundle`.
enum CatalogBundleEndpoint {
    static let endpoints = [
        Endpoint(
            .get,
            "/v1/catalog/bundle",
            access: .resolving,
            .atOnce { call throws(Problem) in try respond(to: call) }
        )
    ]

    private static let signature = HTTPField.Name("Waymark-Signature")

    private static func respond(to call: EndpointRequest) throws(Problem) -> EndpointResponse {
        guard let bundle = call.environment.bundle.current else {
            throw Problem(.notFound, detail: "The server has no signed catalog.")
        }
        var fields: HTTPFields = [.eTag: bundle.tag, .cacheControl: "no-cache"]
        guard !IfNoneMatch.names(bundle.tag, call.head.fields.ifNoneMatch) else {
            return EndpointResponse(status: .notModified, fields: fields)
        }
        if let name = signature { fields[name] = bundle.signature }
        return EndpointResponse(json: bundle.body, fields: fields)
    }
}
