package import DeepLinkCore

/// A kind of origin, with which every generated catalog prints and reads its links in another way.
package enum OriginKind: String, CaseIterable, Sendable {
    /// A scheme without hosts.
    case scheme

    /// A scheme with a host.
    case hosts

    /// Hosts of the web.
    case web

    /// Hosts of the web whose links continue in the fragment.
    case fragment

    /// A scheme whose hosts are segments.
    case segment

    /// Hosts of the web that are segments.
    case webSegment = "web segment"

    /// All hosts of a domain, which are segments.
    case wildcard

    /// A scheme whose hosts have no meaning.
    case ignore

    /// A scheme without a host, and without a slash.
    case none

    /// Returns the origin of the kind, with a port or with a prefix.
    package func origin(hasPort: Bool, pathPrefix: [String]) -> Origin {
        let port = hasPort ? ":8443" : ""
        return switch self {
        case .scheme: Origin(scheme: "nav", hosts: [], pathPrefix: pathPrefix)
        case .hosts: Origin(scheme: "nav", hosts: ["app\(port)"], pathPrefix: pathPrefix)
        case .web: Origin(scheme: "https", hosts: ["app.test\(port)", "www.app.test"], pathPrefix: pathPrefix)
        case .fragment:
            Origin(scheme: "https", hosts: ["app.test\(port)"], pathPrefix: pathPrefix, routesFragment: true)
        case .segment: Origin(scheme: "nav", hosts: [], authority: .segment, pathPrefix: pathPrefix)
        case .webSegment:
            Origin(
                scheme: "https",
                hosts: ["a", "b", "c", "gate", "x-1", "1"].map { $0 + port },
                authority: .segment,
                pathPrefix: pathPrefix
            )
        case .wildcard:
            Origin(scheme: "https", hosts: ["*.app.test\(port)"], authority: .segment, pathPrefix: pathPrefix)
        case .ignore: Origin(scheme: "nav", hosts: [], authority: .ignore, pathPrefix: pathPrefix)
        case .none: Origin(scheme: "root", hosts: [], authority: .rootless, pathPrefix: pathPrefix)
        }
    }
}

extension GeneratedCatalog {
    /// A generated catalog whose links are all of one origin, beside one of short links.
    package struct OfOneOrigin: Sendable {
        /// The kind of the origin.
        package let kind: OriginKind

        /// Whether its links have a port.
        package let hasPort: Bool

        /// The catalog, some of whose routes are signed, and some of which have an app.
        package let catalog: RouteCatalog

        /// The seed that makes it again.
        package let seed: UInt64

        /// The seed and the origin, for a message.
        package var place: String {
            let origin = catalog.origins[0]
            return "seed \(seed), \(kind.rawValue)\(hasPort ? " with a port" : "")"
                + (origin.pathPrefix.isEmpty ? "" : " below a prefix")
        }

        /// Links that wander through the catalog.
        package func links(_ count: Int) -> [DeepLink] {
            var generator = LinkGenerator(seed: seed, in: catalog, port: hasPort ? ":8443" : "")
            return (0..<count).compactMap { _ in try? DeepLink(generator.link(), rootless: .all) }
        }
    }

    /// An app for each platform.
    package static let apps = Apps(
        apple: [AppleApp(appID: "ABCDE12345.com.example.app")],
        android: [AndroidApp(package: "com.example.app", fingerprints: ["AA"])],
        location: CatalogGenerator.location
    )

    /// Every generated catalog under one kind of origin, each kind with and without a port and a prefix in turn.
    package static var ofOneOrigin: [OfOneOrigin] { get async { await originGeneration.value } }

    private static let originGeneration = Task {
        var found: [OfOneOrigin] = []
        for generated in await all {
            await Task.yield()
            // A seed alone makes its catalog again.
            let (kinds, index) = (OriginKind.allCases, Int(generated.seed % 1_000_000))
            let (kind, way) = (kinds[index % kinds.count], index / kinds.count)
            let hasPort = way % 2 == 1
            var definition = generated.definition
            definition.apps = apps
            definition.origins = [
                kind.origin(hasPort: hasPort, pathPrefix: way / 2 % 3 == 1 ? ["p"] : []),
                Origin(scheme: "https", hosts: ["go.test"], hasShortLinks: true),
            ]
            .map { Located($0, at: CatalogGenerator.location) }
            definition.routes = definition.routes.enumerated()
                .map { $1.with(isSigned: ($0 + index) % 5 == 0 && $1.name.value != "gate") }
            guard let catalog = try? RouteCatalog(definition) else { continue }
            found.append(OfOneOrigin(kind: kind, hasPort: hasPort, catalog: catalog, seed: generated.seed))
        }
        return found
    }
}
