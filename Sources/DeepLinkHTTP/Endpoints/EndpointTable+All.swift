extension EndpointTable {
    /// Everything this API does.
    package static let all = EndpointTable(
        ResolveEndpoint.endpoints + BatchEndpoint.endpoints + ContinuationEndpoint.endpoints + LinksEndpoint.endpoints
            + CatalogEndpoint.endpoints + CatalogBundleEndpoint.endpoints + UserEndpoint.endpoints
            + UserWriteEndpoint.endpoints
            + UserBulkEndpoint.endpoints
            + HealthEndpoint.endpoints + OpenAPIEndpoint.endpoints
    )
}
