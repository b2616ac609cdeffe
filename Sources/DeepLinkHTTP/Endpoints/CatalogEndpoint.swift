import DeepLinkAuthentication
import DeepLinkCore
import HTTPTypes
import Hummingbird

/// The catalog that links are resolved against, as a document: `GET /v1/catalog`.
enum CatalogEndpoint {
    static let endpoints = [
        Endpoint(method: .get, path: "/v1/catalog", access: .services) { call in respond(to: call) }
    ]

    /// The version is the entity tag; a client that has it is told so and gets no body (RFC 9110 §13.1.2).
    private static func respond(to call: Call) -> Response {
        let document = call.environment.catalog.document
        let headers: HTTPFields = [.eTag: document.tag, .cacheControl: "no-cache"]
        guard IfNoneMatch.names(document.tag, call.request.headers) else {
            return Response(json: document.body, headers: headers)
        }
        return Response(status: .notModified, headers: headers)
    }
}
