import DeepLinkCore

/// The words of a catalog that links are made of: schemes, hosts, literal segments, query keys.
struct CatalogWords: Sendable {
    /// What stands for everything else.
    private static let rest = "…"

    /// The most segments and pairs of a link that are told.
    private static let maximumCount = 16

    private let schemes: Set<ByteText>
    private let hosts: Set<ByteText>
    private let segments: Set<ByteText>
    private let keys: Set<ByteText>

    /// Collects the words of a catalog.
    init(_ catalog: RouteCatalog) {
        schemes = Set(catalog.origins.map(\.scheme.bytewise))
        hosts = Set(catalog.origins.flatMap { $0.hosts.map(\.bytewise) })
        var segments: Set<ByteText> = []
        var keys: Set<ByteText> = []
        for origin in catalog.origins { for segment in origin.pathPrefix { segments.insert(segment.bytewise) } }
        for edge in catalog.edges {
            var patterns = edge.aliases
            switch edge.address {
            case .path(let pattern): patterns.append(pattern)
            case .query(let key): keys.insert(key.bytewise)
            }
            for pattern in patterns {
                for segment in pattern.segments where segment.identifier == nil {
                    segments.insert(segment.text.bytewise)
                }
            }
            for parameter in edge.parameters { for key in parameter.keys { keys.insert(key.bytewise) } }
        }
        self.segments = segments
        self.keys = keys
    }

    /// Writes a link that nothing matched: the catalog's own words stay, all else is `…`, and there is no fragment.
    func masked(_ link: DeepLink) -> ByteText {
        var text = ""
        if !link.isRelative {
            let (scheme, host) = (link.scheme.bytewise, link.host.bytewise)
            let port = link.port.map { ":\($0)" } ?? ""
            let isKnown = hosts.contains((host.string + port).bytewise)
            text += (schemes.contains(scheme) ? scheme.string : Self.rest) + "://"
            text += host.string.isEmpty ? "" : isKnown ? host.string + port : Self.rest
        }
        let path = link.segments
        for segment in path.prefix(Self.maximumCount) {
            text += "/" + (segments.contains(segment.bytewise) ? segment : Self.rest)
        }
        if path.count > Self.maximumCount { text += "/" + Self.rest }
        let pairs = link.queryItems.prefix(Self.maximumCount)
            .map { item in
                let key = keys.contains(item.name.bytewise) ? item.name : Self.rest
                return item.value == nil ? key : key + "=" + Self.rest
            }
        var told: [String] = []
        for pair in pairs where told.last?.bytewise != pair.bytewise { told.append(pair) }
        return (text + (told.isEmpty ? "" : "?" + told.joined(separator: "&"))).bytewise
    }
}
