extension EndpointTable {
    /// All endpoints of the API.
    package static let all = EndpointTable(
        ResolveEndpoint.endpoints + BatchEndpoint.endpoints + ContinuationEndpoint.endpoints + LinksEndpoint.endpoints
            + CatalogEndpoint.endpoints + CatalogDiffEndpoint.endpoints
            + CatalogBundleEndpoint.endpoints + AudienceEndpoint.endpoints
            + ReportEndpoint.endpoints + UserEndpoint.endpoints + UserWriteEndpoint.endpoints
            + UserBulkEndpoint.endpoints
            + HealthEndpoint.endpoints + MetricsEndpoint.endpoints + OpenAPIEndpoint.endpoints
            + AssociationEndpoint.endpoints + SiteEndpoint.endpoints + ConsoleEndpoint.endpoints
    )

    /// All endpoints except the console.
    package static let withoutConsole = EndpointTable(
        all.endpoints.filter { !$0.path.utf8.starts(with: ConsoleEndpoint.path.utf8) }
    )
}
