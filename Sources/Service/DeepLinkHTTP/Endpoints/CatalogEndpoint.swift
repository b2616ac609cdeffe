import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The catalog that links are resolved against, as a document: `GET /v1/catalog`.
struct CatalogEndpoint {
    /// The catalog in force.
    let catalog: LiveCatalog

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/catalog",
                access: .services,
                handler: .atOnce { call throws(Problem) in respond(to: call) }
            )
        ]
    }

    /// Returns the document with the version as entity tag; a client that has that version gets 304 and no body (RFC
    /// 9110 §13.1.2).
    private func respond(to call: EndpointRequest) -> EndpointResponse {
        let document = catalog.document
        let headers: HTTPFields = [.eTag: document.tag, .cacheControl: "no-cache"]
        guard IfNoneMatch.names(document.tag, in: call.head.fields.ifNoneMatch) else {
            return EndpointResponse(json: document.body, fields: headers)
        }
        return EndpointResponse(status: .notModified, fields: headers)
    }
}
