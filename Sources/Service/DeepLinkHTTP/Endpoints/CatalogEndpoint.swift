import DeepLinkAuthentication
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes

/// The endpoint of the catalog that links are resolved against, as a document: `GET /v1/catalog`.
struct CatalogEndpoint {
    /// The current catalog.
    let catalog: LiveCatalog

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/catalog",
                access: .services,
                handler: .ready { call throws(Problem) in respond(to: call) }
            )
        ]
    }

    /// Returns the document with the version as entity tag.
    ///
    /// A client that already has that version gets 304 without a body (RFC 9110 §13.1.2).
    private func respond(to call: EndpointRequest) -> EndpointResponse {
        let document = catalog.document
        let headers: HTTPFields = [.eTag: document.tag, .cacheControl: "no-cache"]
        guard IfNoneMatch.names(document.tag, in: call.head.fields.ifNoneMatch) else {
            return EndpointResponse(json: document.body, fields: headers)
        }
        return EndpointResponse(status: .notModified, fields: headers)
    }
}

/// The endpoint of the changes that a candidate would make if it replaced the current catalog: `POST /v1/catalog/diff`.
struct CatalogDiffEndpoint {
    /// The comparisons of catalogs, one at a time.
    let comparisons: ComparisonQueue

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .post,
                "/v1/catalog/diff",
                access: .administration,
                body: .bytes(.yaml),
                handler: .later { call in
                    EndpointResponse(try await comparisons.compare(call))
                }
            )
        ]
    }
}

/// The endpoint of the signed catalog, for apps that resolve links offline: `GET /v1/catalog/bundle`.
struct CatalogBundleEndpoint {
    /// The current signed catalog.
    let bundle: LiveBundle

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/catalog/bundle",
                access: .resolving,
                handler: .ready { call throws(Problem) in try respond(to: call) }
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
