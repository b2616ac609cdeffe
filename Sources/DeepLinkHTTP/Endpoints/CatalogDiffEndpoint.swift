import DeepLinkAuthentication
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The changes that a candidate would make if it replaced the catalog in force: `POST /v1/catalog/diff`.
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
