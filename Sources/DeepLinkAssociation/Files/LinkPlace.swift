import DeepLinkCore

/// What an origin says of where the paths of a host's links begin.
struct LinkPlace: Hashable {
    /// The segments before those of the routes.
    let prefix: [String]

    /// The host, where it is the first segment that routes see; `nil` where it is none.
    let hostSegment: String?

    /// Whether the path goes on in the fragment, of which the files say nothing.
    let routesFragment: Bool

    /// Takes what an origin says of one of its hosts.
    init(_ origin: Origin, host: String) {
        prefix = origin.pathPrefix
        hostSegment = origin.authority == .segment ? host : nil
        routesFragment = origin.routesFragment
    }

    /// Whether paths begin here as they do in the catalog.
    var isPlain: Bool { hostSegment == nil && !routesFragment }

    /// The shapes of links here, out of those of the catalog.
    func shapes(_ all: [LinkShape]) -> [LinkShape] {
        guard !routesFragment else {
            return [LinkShape(segments: prefix.map { .literal($0) }, continues: true, opens: .app, browserRoutes: [])]
        }
        return all.compactMap { shape in
            var segments = shape.segments
            if let hostSegment {
                // A star stands for any text, which any first segment may fit.
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
