import DeepLinkAuthentication
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The changes that a candidate would make if it replaced the catalog in force: `POST /v1/catalog/diff`.
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
