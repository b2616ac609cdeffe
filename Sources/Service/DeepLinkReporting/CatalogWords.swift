import DeepLinkCore

/// The words in a catalog's links: schemes, hosts, literal segments, query keys.
struct CatalogWords: Sendable {
    /// The replacement for other words.
    static let rest = "…"

    /// The maximum number of reported segments, and of query pairs, of a link.
    private static let maximumCount = 16

    private let schemes: Set<ByteText>
    private let hosts: Set<ByteText>
    private let segments: Set<ByteText>

    /// The schemes of custom links with the first segment of the path in place of the host.
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

    /// Returns an unmatched link with only the catalog's own words.
    ///
    /// Everything else becomes `…`, and the fragment is omitted.
    func masked(_ link: DeepLink) -> ByteText { masked(link, showing: nil) }

    /// Returns an unmatched link like ``masked(_:)``, but keeps the first unmatched segment.
    ///
    /// Earlier segments match, and may be values of parameters. Later ones are mostly ids.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - unmatched: the decoded segments from the first unmatched one on, or `nil` for the whole link.
    /// - Returns: the text, or `nil` if the catalog uses the segment, or it does not look like a word.
    func masked(_ link: DeepLink, showingFirstOf unmatched: [String]?) -> ByteText? {
        let isHostFirst = !link.authority.isEmpty && segmentSchemes.contains(link.scheme.bytewise)
        let path = (isHostFirst ? [link.authority] : []) + link.segments
        let place = path.count - (unmatched?.count ?? path.count)
        guard path.indices.contains(place) else { return nil }
        let segment = path[place]
        // A match that continues in the fragment, or in a nested link, does not end at a segment of the path.
        if let end = unmatched?.first, end.bytewise != segment.bytewise { return nil }
        let isHost = isHostFirst && place == 0
        let isKnown = segments.contains(segment.bytewise) || isHost && hosts.contains(segment.bytewise)
        guard !isKnown, LinkWord.isWord(segment) else { return nil }
        return masked(link, showing: (place, KeptSegment.marked(segment)))
    }

    /// Returns a link with a text in place of one of its segments.
    ///
    /// If the host is a segment, it counts as the first.
    private func masked(_ link: DeepLink, showing kept: (place: Int, text: String)?) -> ByteText {
        var text = ""
        var place = 0
        func unknown() -> String { kept.flatMap { $0.place == place ? $0.text : nil } ?? Self.rest }
        if !link.isRelative {
            let scheme = link.scheme.bytewise
            let isSegment = segmentSchemes.contains(scheme)
            // A host that is a segment includes its port.
            let host = isSegment ? link.authority : link.host + (link.port.map { ":\($0)" } ?? "")
            let isKnown = hosts.contains(host.bytewise)
            text += (schemes.contains(scheme) ? scheme.string : Self.rest) + "://"
            if !host.isEmpty {
                text +=
                    isKnown || isSegment && segments.contains(host.bytewise) ? host : isSegment ? unknown() : Self.rest
                if isSegment { place += 1 }
            }
        }
        let path = link.segments
        for segment in path.prefix(Self.maximumCount) {
            text += "/" + (segments.contains(segment.bytewise) ? segment : unknown())
            place += 1
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

/// The rule that distinguishes words, as people choose them, from ids.
enum LinkWord {
    /// The maximum length of a word, in bytes.
    private static let maximumLength = 24

    /// The maximum number of consecutive consonants in a word.
    private static let maximumConsonantCount = 4

    /// Returns whether a segment looks like a word: ASCII letters, in parts between `-` and `_`, including a vowel
    /// unless it is as short as `tv`.
    ///
    /// A capital letter begins a part or follows two lowercase ones (`myOrders`). A digit indicates an id.
    static func isWord(_ segment: String) -> Bool {
        guard (1...maximumLength).contains(segment.utf8.count) else { return false }
        var (smallCount, consonantCount) = (0, 0)
        var (isPartBegin, hasVowel) = (true, false)
        for byte in segment.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): smallCount += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                guard isPartBegin || smallCount >= 2 else { return false }
                smallCount = 0
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard smallCount > 0 else { return false }
                (smallCount, consonantCount, isPartBegin) = (0, 0, true)
                continue
            default: return false
            }
            isPartBegin = false
            let isVowel = "aeiouyAEIOUY".utf8.contains(byte)
            hasVowel = hasVowel || isVowel
            consonantCount = isVowel ? 0 : consonantCount + 1
            guard consonantCount <= maximumConsonantCount else { return false }
        }
        return smallCount > 0 && (hasVowel || segment.utf8.count <= 3)
    }
}
