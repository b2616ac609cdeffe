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
        let known = request.headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",")
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
        // The comparison is weak: `W/"…"` names the same catalog.
        guard known.contains(where: { $0 == "*" || $0 == tag || $0 == "W/" + tag }) else {
            return Response(CatalogBody(catalog), headers: headers)
        }
        return Response(status: .notModified, headers: headers)
    }
}
