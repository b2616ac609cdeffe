import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Shows the catalog that links are resolved against: `GET /v1/catalog`.
enum CatalogEndpoint {
    static let endpoints = [
        Endpoint(method: .get, path: "/v1/catalog", access: .services) { call in respond(to: call) }
    ]

    /// The version is the entity tag; a client that has it is told so and gets no body (RFC 9110 §13.1.2).
    private static func respond(to call: Call) -> Response {
        let tag = "\"\(call.catalog.version)\""
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
        let known = call.request.headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",")
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
        // The comparison is weak: `W/"…"` names the same catalog.
        guard known.contains(where: { $0 == "*" || $0 == tag || $0 == "W/" + tag }) else {
            return Response(CatalogBody(call.catalog), headers: headers)
        }
        return Response(status: .notModified, headers: headers)
    }
}
