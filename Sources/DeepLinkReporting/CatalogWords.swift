import DeepLinkCore

/// The words of a catalog that links are made of: schemes, hosts, literal segments, query keys.
struct CatalogWords: Sendable {
    /// The replacement for everything else.
    static let rest = "…"

    /// The maximum number of segments and pairs of a link that are reported.
    private static let maximumCount = 16

    private let schemes: Set<ByteText>
    private let hosts: Set<ByteText>
    private let segments: Set<ByteText>

    /// The schemes of custom links that have the first segment of the path in the place of the host.
    private let segmentSchemes: Set<ByteText>

    private let keys: Set<ByteText>

    /// Collects the words of a catalog.
    init(_ catalog: RouteCatalog) {
        schemes = Set((catalog.origins + catalog.shortLinkOrigins).map(\.scheme.bytewise))
        segmentSchemes = Set(
            catalog.origins.filter { $0.authority == .segment && !$0.isWeb }.map(\.scheme.bytewise)
        )
        hosts = Set((catalog.origins + catalog.shortLinkOrigins).flatMap { $0.hosts.map(\.bytewise) })
        var segments: Set<ByteText> = []
        var keys: Set<ByteText> = []
        for origin in catalog.origins + catalog.shortLinkOrigins {
            for segment in origin.pathPrefix { segments.insert(segment.bytewise) }
        }
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

    /// Writes an unmatched link: the catalog's own words stay, everything else becomes `…`, and the fragment is left
    /// out.
    func masked(_ link: DeepLink) -> ByteText { masked(link, first: Self.rest) }

    /// Writes a link that nothing matched as ``masked(_:)`` does, but for its first segment, which stays.
    ///
    /// - Returns: the text; `nil` if the catalog uses the first segment, or it does not look like a word.
    func maskedAfterFirst(_ link: DeepLink) -> ByteText? {
        let host = link.isRelative ? "" : link.host
        let isHostFirst = !host.isEmpty && segmentSchemes.contains(link.scheme.bytewise)
        guard let first = isHostFirst ? host : link.segments.first else { return nil }
        let isKnown = segments.contains(first.bytewise) || isHostFirst && hosts.contains(first.bytewise)
        guard !isKnown, LinkWord.isWord(first) else { return nil }
        return masked(link, first: KeptSegment.marked(first))
    }

    /// Writes a link, with a text in the place of a first segment that the catalog does not use.
    private func masked(_ link: DeepLink, first: String) -> ByteText {
        var text = ""
        var isFirst = true
        if !link.isRelative {
            let (scheme, host) = (link.scheme.bytewise, link.host.bytewise)
            let port = link.port.map { ":\($0)" } ?? ""
            let isKnown = hosts.contains((host.string + port).bytewise)
            text += (schemes.contains(scheme) ? scheme.string : Self.rest) + "://"
            if !host.string.isEmpty {
                let isSegment = segmentSchemes.contains(scheme)
                text +=
                    isKnown || isSegment && segments.contains(host) ? host.string + port : isSegment ? first : Self.rest
                isFirst = !isSegment
            }
        }
        let path = link.segments
        for segment in path.prefix(Self.maximumCount) {
            text += "/" + (segments.contains(segment.bytewise) ? segment : isFirst ? first : Self.rest)
            isFirst = false
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
