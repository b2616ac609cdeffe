extension EndpointTable {
    /// Everything this API does.
    package static let all = EndpointTable(
        ResolveEndpoint.endpoints + BatchEndpoint.endpoints + ContinuationEndpoint.endpoints + LinksEndpoint.endpoints
            + CatalogEndpoint.endpoints + UserEndpoint.endpoints + HealthEndpoint.endpoints + OpenAPIEndpoint.endpoints
    )
}
