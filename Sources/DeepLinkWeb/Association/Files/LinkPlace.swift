import DeepLinkCore

/// The position at which the paths of a host's links begin, as declared by an origin.
struct LinkPlace: Hashable {
    /// The segments before those of the routes.
    let prefix: [String]

    /// The host without its port, if it is the first segment for the routes; `nil` otherwise.
    let hostSegment: String?

    /// Whether the path continues in the fragment, which the files don't cover.
    let routesFragment: Bool

    /// Whether the path is a code, whatever the routes are.
    let hasShortLinks: Bool

    /// Creates the place for an origin and one of its hosts.
    init(_ origin: Origin, host: String) {
        prefix = origin.pathPrefix
        let name = host.utf8.prefix { $0 != UInt8(ascii: ":") }
        hostSegment = origin.authority == .segment ? String(Substring(name)) : nil
        routesFragment = origin.routesFragment
        hasShortLinks = origin.hasShortLinks
    }

    /// Whether paths begin here as they do in the catalog.
    var isPlain: Bool { hostSegment == nil && !routesFragment && !hasShortLinks }

    /// Returns the shapes of links at this place, out of those of the catalog.
    func shapes(_ all: [LinkShape]) -> [LinkShape] {
        if hasShortLinks {
            let code = LinkShape.Segment.value(.string(min: nil, max: nil, pattern: nil))
            let segments = prefix.map { LinkShape.Segment.literal($0) } + [code]
            return [LinkShape(segments: segments, continues: false, opens: .app, browserRoutes: [])]
        }
        guard !routesFragment else {
            return [LinkShape(segments: prefix.map { .literal($0) }, continues: true, opens: .app, browserRoutes: [])]
        }
        return all.compactMap { shape in
            var segments = shape.segments
            if let hostSegment {
                // A star matches any text, and so may any first segment.
                let isWild = hostSegment.utf8.starts(with: "*.".utf8)
                if let first = segments.first {
                    guard isWild || first.accepts(hostSegment) else { return nil }
                    segments.removeFirst()
                } else if !shape.continues {
                    return nil
                }
            }
            return LinkShape(
                segments: prefix.map { .literal($0) } + segments,
                continues: shape.continues,
                opens: shape.opens,
                browserRoutes: shape.browserRoutes
            )
        }
    }
}
