import DeepLinkCore

/// The position at which the paths of a host's links begin, as declared by an origin.
struct OriginPath: Hashable {
    /// The path prefix: the segments before a route's own segments.
    let prefix: [String]

    /// The host without its port if routes see it as their first segment, or `nil` otherwise.
    let hostSegment: String?

    /// Whether the path continues in the fragment.
    let routesFragment: Bool

    /// Whether the path is a short-link code, regardless of the routes.
    let hasShortLinks: Bool

    /// Creates the place for an origin and one of its hosts.
    init(_ origin: Origin, host: String) {
        prefix = origin.pathPrefix
        let name = host.utf8.prefix { $0 != UInt8(ascii: ":") }
        hostSegment = origin.authority == .segment ? String(Substring(name)) : nil
        routesFragment = origin.routesFragment
        hasShortLinks = origin.hasShortLinks
    }

    /// Whether paths here are the same as in the catalog.
    var isPlain: Bool { hostSegment == nil && !routesFragment && !hasShortLinks }

    /// Returns the shapes of links at this place, derived from the catalog's shapes.
    ///
    /// If the path continues in the fragment, each shape is split at every possible start of the fragment.
    func shapes(_ all: [LinkShape]) -> [PlacedShape] {
        let whole = pathShapes(all)
        guard routesFragment else { return whole.map { PlacedShape(path: $0) } }
        return whole.flatMap { shape in
            let last = shape.continues ? shape.segments.count : shape.segments.count - 1
            return [PlacedShape(path: shape)]
                + stride(from: prefix.count, through: last, by: 1).map { PlacedShape(shape, fragmentFrom: $0) }
        }
    }

    /// Returns the shapes of links with all segments in the path.
    private func pathShapes(_ all: [LinkShape]) -> [LinkShape] {
        if hasShortLinks {
            let code = LinkShape.Segment.value(.string(min: nil, max: nil, pattern: nil))
            let segments = prefix.map { LinkShape.Segment.literal($0) } + [code]
            return [LinkShape(segments: segments, continues: false, opens: .app, keptRoutes: [])]
        }
        return all.compactMap { shape in
            var segments = shape.segments
            if let hostSegment {
                // A star matches any text, and so can any first segment.
                let isWild = hostSegment.utf8.starts(with: "*.".utf8)
                if let first = segments.first {
                    guard isWild || first.accepts(hostSegment) else { return nil }
                    segments.removeFirst()
                } else if !shape.continues {
                    return nil
                }
            }
            return shape.with(prefix.map { .literal($0) } + segments, continues: shape.continues)
        }
    }
}

/// The shape of links on a host: the shape of their path, and of their fragment if it continues the path.
struct PlacedShape {
    /// The shape of the part in the URL's path.
    let path: LinkShape

    /// The shape of the part of the path in the fragment, or `nil` without such a part.
    var fragment: LinkShape?

    /// Whether such links open in the app or the browser.
    var opens: RoutePage.Opens { path.opens }

    /// The segments of the path, followed by the segments of the fragment.
    var segments: [LinkShape.Segment] { path.segments + (fragment?.segments ?? []) }
}

extension PlacedShape {
    /// Creates the placed shape of links with their segments from an index on in the fragment.
    ///
    /// A path that may continue with any segments ends in the path or in the fragment.
    init(_ shape: LinkShape, fragmentFrom index: Int) {
        let endsInPath = shape.continues && index == shape.segments.count
        path = shape.with(Array(shape.segments[..<index]), continues: endsInPath)
        fragment = shape.with(Array(shape.segments[index...]), continues: shape.continues)
    }
}

extension LinkShape {
    /// Returns a shape of the same links with other segments.
    func with(_ segments: [Segment], continues: Bool) -> LinkShape {
        LinkShape(
            segments: segments,
            continues: continues,
            opens: opens,
            keptRoutes: keptRoutes,
            keptKeys: keptKeys
        )
    }
}
