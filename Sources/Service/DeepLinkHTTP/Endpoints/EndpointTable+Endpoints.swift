package import DeepLinkAuthentication
package import DeepLinkReporting
package import DeepLinkStorage

extension EndpointTable {
    /// Creates the table of all endpoints of the API.
    ///
    /// Each gets only the dependencies that it may use.
    ///
    /// - Parameters:
    ///   - resolver: the resolution of links.
    ///   - metrics: the metrics, or `nil` for none.
    ///   - report: the counts of resolutions since the start, or `nil` for none.
    ///   - users: the user states.
    ///   - counts: the stored counts of link uses, or `nil` for none.
    ///   - redemptions: the store of redeemed continuations.
    ///   - streams: the rules for streams of lines.
    ///   - catalog: the current catalog.
    ///   - bundle: the signed catalog for apps.
    ///   - comparisons: the comparisons of catalogs.
    ///   - hosts: the hosts at which the server answers.
    ///   - consoleHosts: the hosts of https origins, with their ports, that serve the console nevertheless, or `nil`
    ///     for no console.
    ///   - login: the login to the console, or `nil` if no provider is configured.
    ///   - version: the version of the program.
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
        let links = [
            ResolveEndpoint(answers: answers).endpoints,
            BatchEndpoint(answers: answers, streams: streams).endpoints,
            ContinuationEndpoint(resolver: resolver, users: users, redemptions: redemptions).endpoints,
            LinksEndpoint(signingKeys: keys).endpoints,
            QRCodeEndpoint().endpoints,
        ]
        let catalogs = [
            CatalogEndpoint(catalog: catalog).endpoints,
            CatalogDiffEndpoint(comparisons: comparisons).endpoints,
            CatalogBundleEndpoint(bundle: bundle).endpoints,
            AudienceEndpoint(resolver: resolver, streams: streams).endpoints,
            ReportEndpoint(counts: report, now: now).endpoints,
            CountsEndpoint(store: counts, now: now).endpoints,
        ]
        let states = [
            UserEndpoint(users: users).endpoints,
            UserWriteEndpoint(users: users).endpoints,
            UserGrantEndpoint(users: users).endpoints,
            UserBulkEndpoint(users: users, streams: streams).endpoints,
        ]
        let shortLinks = resolver.shortLinks.map { service in
            [
                ShortLinkEndpoint(shortLinks: service).endpoints,
                ShortLinkWriteEndpoint(
                    making: ShortLinkWriter(resolver: resolver, shortLinks: service, isAudited: users.audit.isKept),
                    users: users,
                    streams: streams
                )
                .endpoints,
            ]
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
        let others = [
            health.endpoints,
            MetricsEndpoint(metrics: metrics).endpoints,
            OpenAPIEndpoint.endpoints,
            AssociationEndpoint(catalog: catalog, hosts: hosts, signingKeys: keys, now: now).endpoints,
            SiteEndpoint(catalog: catalog).endpoints,
        ]
        let console = consoleHosts.map { ConsoleHosts(catalog: catalog, hosts: hosts, added: $0) }
            .map { hosts in
                ConsoleSessionEndpoint(login: login, hosts: hosts, now: now).endpoints
                    + ConsoleEndpoint(hosts: hosts).endpoints
            }
        self.init(
            (links + catalogs + states + (shortLinks ?? []) + others).flatMap(\.self) + (console ?? []),
            webLink: WebLinkEndpoint(answers: answers, catalog: catalog).endpoint
        )
    }
}
