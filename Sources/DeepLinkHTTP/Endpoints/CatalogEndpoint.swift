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
        guard IfNoneMatch.names(tag, call.request.headers) else {
            return Response(CatalogBody(call.catalog), headers: headers)
        }
        return Response(status: .notModified, headers: headers)
    }
}
