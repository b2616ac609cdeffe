package import DeepLinkAuthentication
package import DeepLinkReporting
package import DeepLinkStorage

extension EndpointTable {
    /// Creates the table of all endpoints of the API.
    ///
    /// Each gets only the dependencies that it may use. `report` has the counts of resolutions since the start, and
    /// `counts` the stored counts of link uses. `consoleHosts` are the hosts of https origins, with their ports, that
    /// serve the console nevertheless, or `nil` for no console.
    package convenience init(
        resolver: LinkResolver,
        metrics: ServiceMetrics? = nil,
        report: ResolutionCounts? = nil,
        users: UserService,
        counts: (any LinkCountStore)? = nil,
        redemptions: any ContinuationStore,
        streams: LineStreamRules,
        catalog: LiveCatalog,
        bundle: LiveBundle,
        comparisons: ComparisonQueue,
        hosts: HostSettings,
        consoleHosts: [String]?,
        login: ConsoleLogin? = nil,
        version: String
    ) {
        let (keys, now) = (resolver.signingKeys, resolver.now)
        let answers = RecentAnswers(of: resolver)
        var endpoints = ResolveEndpoint(answers: answers).endpoints
        endpoints += [
            BatchEndpoint(answers: answers, streams: streams).endpoint,
            ContinuationEndpoint(resolver: resolver, users: users, redemptions: redemptions).endpoint,
            LinksEndpoint(signingKeys: keys).endpoint,
            QRCodeEndpoint.endpoint,
            CatalogEndpoint(catalog: catalog).endpoint,
            CatalogDiffEndpoint(comparisons: comparisons).endpoint,
            CatalogBundleEndpoint(bundle: bundle).endpoint,
        ]
        endpoints += AudienceEndpoint(resolver: resolver, streams: streams).endpoints
        endpoints += [
            ReportEndpoint(counts: report, now: now).endpoint, CountsEndpoint(store: counts, now: now).endpoint,
        ]
        endpoints += UserEndpoint(users: users).endpoints
        endpoints += UserWriteEndpoint(users: users).endpoints
        endpoints += UserGrantEndpoint(users: users).endpoints
        endpoints.append(UserBulkEndpoint(users: users, streams: streams).endpoint)
        if let shortLinks = resolver.shortLinks {
            let making = ShortLinkWriter(resolver: resolver, shortLinks: shortLinks, isAudited: users.audit.isKept)
            endpoints += ShortLinkEndpoint(shortLinks: shortLinks).endpoints
            endpoints += ShortLinkWriteEndpoint(making: making, users: users, streams: streams).endpoints
        }
        let health = HealthEndpoint(
            version: version,
            health: ServiceHealth(
                store: users.store,
                catalog: catalog,
                authentication: hosts.authentication,
                load: streams.load
            )
        )
        endpoints += health.endpoints + [MetricsEndpoint(metrics: metrics).endpoint, OpenAPIEndpoint.endpoint]
        endpoints += AssociationEndpoint(catalog: catalog, hosts: hosts, signingKeys: keys, now: now).endpoints
        endpoints += SiteEndpoint(catalog: catalog).endpoints
        if let consoleHosts {
            let hosts = ConsoleHosts(catalog: catalog, hosts: hosts, added: consoleHosts)
            endpoints += ConsoleSessionEndpoint(login: login, hosts: hosts, now: now).endpoints
            endpoints += ConsoleEndpoint(hosts: hosts).endpoints
        }
        self.init(endpoints, webLink: WebLinkEndpoint(answers: answers, catalog: catalog).endpoint)
    }
}
