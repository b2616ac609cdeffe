import DeepLinkAuthentication
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes

/// The endpoint of the catalog that links are resolved against, as a document: `GET /v1/catalog`.
///
/// The entity tag is the catalog's version.
struct CatalogEndpoint {
    let catalog: LiveCatalog

    var endpoint: Endpoint {
        Endpoint(
            .get,
            "/v1/catalog",
            access: .services,
            handler: .ready { call throws(Problem) in catalog.document.response(to: call.head) }
        )
    }
}

/// The endpoint of the changes that a candidate would make if it replaced the current catalog: `POST /v1/catalog/diff`.
struct CatalogDiffEndpoint {
    let comparisons: ComparisonQueue

    var endpoint: Endpoint {
        Endpoint(
            .post,
            "/v1/catalog/diff",
            access: .administration,
            body: .bytes(.yaml),
            handler: .later { call in EndpointResponse(try await comparisons.compare(call)) }
        )
    }
}

/// The endpoint of the signed catalog, for apps that resolve links offline: `GET /v1/catalog/bundle`.
struct CatalogBundleEndpoint {
    let bundle: LiveBundle

    var endpoint: Endpoint {
        Endpoint(.get, "/v1/catalog/bundle", access: .resolving, handler: .ready(respond))
    }

    private static let signature = HTTPField.Name("Waymark-Signature")

    private func respond(to call: EndpointRequest) throws(Problem) -> EndpointResponse {
        guard let bundle = bundle.current else {
            throw Problem(.notFound, detail: "The server has no signed catalog.")
        }
        let response = bundle.body.response(to: call.head)
        guard response.status == .ok, let name = Self.signature else { return response }
        return response.adding([name: bundle.signature])
    }
}
