extension EndpointTable {
    /// Everything this API does.
    package static let all = EndpointTable(
        ResolveEndpoint.endpoints + BatchEndpoint.endpoints + ContinuationEndpoint.endpoints + LinksEndpoint.endpoints
            + CatalogEndpoint.endpoints + CatalogDiffEndpoint.endpoints + AudienceEndpoint.endpoints
            + ReportEndpoint.endpoints
            + UserEndpoint.endpoints + UserWriteEndpoint.endpoints + UserBulkEndpoint.endpoints
            + HealthEndpoint.endpoints + OpenAPIEndpoint.endpoints
    )
}
