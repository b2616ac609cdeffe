import DeepLinkAuthentication
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// What a candidate would change if it took the place of the catalog in force: `POST /v1/catalog/diff`.
enum CatalogDiffEndpoint {
    static let endpoints = [
        Endpoint(
            .post,
            "/v1/catalog/diff",
            access: .administration,
            body: .bytes(.yaml),
            .later { call in
                EndpointResponse(try await call.environment.comparisons.compare(call))
            }
        )
    ]
}
