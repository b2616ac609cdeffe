package import DeepLinkCore

/// The association files by which phones decide which links of a catalog open in an app, for each host of its https
/// origins.
///
/// A link opens in its app and in no other, and a link of every app in each of them.
///
/// The bytes are generated once, when a catalog becomes the current one, and are the same for the same catalog.
package struct AssociationFiles: Sendable {
    /// The maximum size of a file in bytes, the limit of Apple's systems.
    package static let maximumByteCount = 128 * 1024

    /// The files of each host.
    private var files: [ByteText: [AssociationPlatform: [UInt8]]] = [:]

    /// The hosts, in the order of the origins.
    package private(set) var hosts: [String] = []

    /// Warnings for the author of the catalog about links that the files don't express exactly.
    package private(set) var warnings: [CatalogIssue] = []

    /// Generates the files of a catalog.
    ///
    /// A platform without apps gets none.
    ///
    /// After an interruption the files are incomplete, and the caller must drop them.
    package init(_ catalog: RouteCatalog, interruption: Interruption = .never) {
        let origins = catalog.origins.filter { $0.scheme.bytewise == "https" } + catalog.shortLinkOrigins
        var places: [ByteText: [OriginPath]] = [:]
        for origin in origins {
            for host in origin.hosts {
                if places[host.bytewise] == nil { hosts.append(host) }
                places[host.bytewise, default: []].append(OriginPath(origin, host: host))
            }
        }
        guard catalog.apps.all.contains(where: { !$0.isEmpty }) else { return }
        var made: [[OriginPath]: [AssociationPlatform: [UInt8]]] = [:]
        for host in hosts {
            let own = places[host.bytewise] ?? []
            if made[own] == nil {
                var new: [AssociationPlatform: [UInt8]] = [:]
                for platform in AssociationPlatform.allCases {
                    new[platform] = make(catalog, places: own, platform: platform, interruption: interruption)
                }
                made[own] = new
            }
            files[host.bytewise] = made[own]
        }
        warnings = CatalogError(warnings + AssociationWarnings.ofShortLinks(to: catalog)).issues
    }

    /// Returns the file of a host for a platform: the file of its own name, or of the longest `*.` pattern that matches
    /// it.
    package func file(for platform: AssociationPlatform, host: String) -> [UInt8]? {
        name(of: host).flatMap { files[$0.bytewise]?[platform] }
    }

    /// Returns the file for a URL's host with its port, or for the host alone, since phones ignore ports.
    func file(for platform: AssociationPlatform, of url: PlatformURL) -> [UInt8]? {
        file(for: platform, host: url.host + url.port) ?? file(for: platform, host: url.host)
    }

    /// Returns the host of the catalog that equals a host or is a pattern that matches it.
    package func name(of host: String) -> String? {
        let host = Origin.host(host, ofScheme: "https")
        return hosts.first { $0.bytewise == host.bytewise }
            ?? hosts.filter { $0.utf8.starts(with: "*.".utf8) && host.utf8.count >= $0.utf8.count }
            .filter { host.utf8.suffix($0.utf8.count - 1).elementsEqual($0.utf8.dropFirst()) }
            .max { $0.utf8.count < $1.utf8.count }
    }

    /// Returns whether a host has files.
    package func knows(_ host: String) -> Bool { name(of: host) != nil }

    /// Returns the file of a host, as precise as its size allows, or `nil` if no app has the platform.
    private mutating func make(
        _ catalog: RouteCatalog,
        places: [OriginPath],
        platform: AssociationPlatform,
        interruption: Interruption
    ) -> [UInt8]? {
        let apps = catalog.apps.indexed.filter { platform == .ios ? !$0.app.apple.isEmpty : !$0.app.android.isEmpty }
        guard !apps.isEmpty else { return nil }
        var last: [UInt8] = []
        for granularity in RuleGranularity.all where !interruption.isDue {
            var handed: [HandedLinks] = []
            for (index, app) in apps {
                // All apps have the same links if no route names one.
                let links =
                    (catalog.dividesApps ? nil : handed.first.map { HandedLinks(app: app, like: $0) })
                    ?? HandedLinks(
                        catalog,
                        app: app,
                        index: index,
                        places: places,
                        granularity: granularity,
                        platform: platform,
                        interruption: interruption
                    )
                guard let links else { break }
                handed.append(links)
            }
            guard handed.count == apps.count else { continue }
            last = platform == .ios ? AppleFile.json(handed) : AndroidFile.json(handed)
            guard last.count <= Self.maximumByteCount || granularity == .nothing else { continue }
            for links in handed {
                warnings += AssociationWarnings(catalog, platform: platform, app: links.app)
                    .issues(links.order, granularity: granularity)
            }
            break
        }
        return last
    }
}

/// The links of a host that its file hands to one app.
struct HandedLinks {
    /// The declaration of the app, with its identifiers.
    let app: DeclaredApp

    /// The shapes of the host's links, as far as this app opens them.
    let links: HostLinks

    /// The order in which they become rules.
    let order: LinkOrder

    /// Hands an app the links of another one.
    init(app: DeclaredApp, like other: HandedLinks) {
        self.app = app
        links = other.links
        order = other.order
    }

    /// Finds and orders the links of an app, or returns `nil` if there are too many at this precision.
    init?(
        _ catalog: RouteCatalog,
        app: DeclaredApp,
        index: AppIndex?,
        places: [OriginPath],
        granularity: RuleGranularity,
        platform: AssociationPlatform,
        interruption: Interruption
    ) {
        guard let links = HostLinks(catalog, places: places, app: index, granularity: granularity) else { return nil }
        self.app = app
        self.links = links
        order = LinkOrder(
            platform == .android ? links.shapes.map(AndroidRules.widened) : links.shapes,
            ignoresFragments: !links.routesFragments,
            platform: platform,
            isClose: catalog.dividesApps,
            interruption: interruption
        )
    }
}

extension Apps {
    /// The declared apps with their indexes, which the unnamed app has none of.
    var indexed: [(index: AppIndex?, app: DeclaredApp)] {
        (unnamed.isEmpty ? [] : [(nil, unnamed)]) + indexes.map { ($0, self[$0]) }
    }
}
