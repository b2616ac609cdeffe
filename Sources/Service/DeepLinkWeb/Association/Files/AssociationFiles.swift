package import DeepLinkCore

/// The association files by which phones decide which links of a catalog open in an app, for each host of its https
/// origins.
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
        let (apple, android) = (catalog.apps.first.apple, catalog.apps.first.android)
        guard !apple.isEmpty || !android.isEmpty else { return }
        var made: [[OriginPath]: [AssociationPlatform: [UInt8]]] = [:]
        for host in hosts {
            let own = places[host.bytewise] ?? []
            if made[own] == nil {
                var new: [AssociationPlatform: [UInt8]] = [:]
                if !apple.isEmpty {
                    new[.ios] = make(catalog, places: own, platform: .ios, interruption: interruption) {
                        AppleFile.json($0, order: $1, apps: apple)
                    }
                }
                if !android.isEmpty {
                    new[.android] = make(catalog, places: own, platform: .android, interruption: interruption) {
                        AndroidFile.json($0, order: $1, apps: android)
                    }
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

    private mutating func make(
        _ catalog: RouteCatalog,
        places: [OriginPath],
        platform: AssociationPlatform,
        interruption: Interruption,
        json: (HostLinks, LinkOrder) -> [UInt8]
    ) -> [UInt8] {
        var last: [UInt8] = []
        for granularity in RuleGranularity.all where !interruption.isDue {
            guard let space = HostLinks(catalog, places: places, granularity: granularity) else { continue }
            let order = LinkOrder(
                platform == .android ? space.shapes.map(AndroidRules.widened) : space.shapes,
                ignoresFragments: !space.routesFragments,
                interruption: interruption
            )
            last = json(space, order)
            guard last.count <= Self.maximumByteCount || granularity == .nothing else { continue }
            warnings += AssociationWarnings(catalog, platform: platform).issues(order, granularity: granularity)
            break
        }
        return last
    }
}
