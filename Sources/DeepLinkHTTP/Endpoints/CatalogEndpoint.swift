import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Shows the catalog that links are resolved against: `GET /v1/catalog`.
struct CatalogEndpoint {
    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .get, path: "/v1/catalog") { request, _ in
                _ = try FormQuery(request.rawQuery, names: [])
                return respond(to: request)
            }
        ]
    }

    /// The version is the entity tag; a client that has it is told so and gets no body (RFC 9110 §13.1.2).
    private func respond(to request: Request) -> Response {
        let catalog = environment.catalog
        let tag = "\"\(catalog.version)\""
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
        guard IfNoneMatch.names(tag, request.headers) else {
            return Response(CatalogBody(catalog), headers: headers)
        }
        return Response(status: .notModified, headers: headers)
    }
}
