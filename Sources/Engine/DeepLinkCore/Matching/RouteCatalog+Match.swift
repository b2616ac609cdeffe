extension RouteCatalog {
    /// Returns the routes that a link's path names, before its query is read and for any user.
    ///
    /// Returns `nil` if no routes match, or the link is of no origin. This is the first step of
    /// ``resolve(_:userLevel:catalog:)``.
    ///
    /// - Complexity: linear in the link's segments times the candidates tried at each. Nothing is allocated if the
    ///   first candidates fit and at most eight routes are named.
    package func match(_ link: DeepLink) -> RouteMatch? {
        guard let (key, start) = origin(of: link) else { return nil }
        var matcher = PathMatcher()
        guard joinsParts else {
            return matcher.match(link, from: start, at: graph.entryNode, in: self) ? RouteMatch(matcher.steps) : nil
        }
        guard let path = try? routedPath(of: link, key, from: start) else { return nil }
        return matcher.match(path.link, from: path.start, at: graph.entryNode, in: self)
            ? RouteMatch(matcher.steps) : nil
    }

    /// Returns whether a link has the scheme and one of the hosts of an origin, with any path.
    ///
    /// Hosts are compared without regard to case. Under a custom scheme an empty host always fits. A link with a port
    /// fits only a host that is listed with that port.
    package func includesAuthority(of link: DeepLink) -> Bool {
        originKeys.contains { $0.includesAuthority(of: link) }
            || shortLinkKeys.contains { $0.includesAuthority(of: link) }
    }

    /// Returns the origin of a link, an index into ``originKeys``, and the offset from which its routes are matched.
    ///
    /// Of several matching origins, the origin with the exact host wins, then the one with the longest prefix, and then
    /// the first. A listed host is not matched by a `*`, and a short link belongs to none of these origins.
    func origin(of link: DeepLink) -> (index: Int, start: Int)? {
        for place in originOrder.indices {
            let index = originOrder[place]
            guard let start = originKeys[index].start(in: link) else { continue }
            if originKeys[index].isWildcard, isClaimed(link, before: place) { return nil }
            return !shortLinkKeys.isEmpty && isShort(link, insteadOf: originKeys[index]) ? nil : (index, start)
        }
        return nil
    }

    /// Returns whether an earlier origin has an exact match for a link's host, under another prefix.
    private func isClaimed(_ link: DeepLink, before place: Int) -> Bool {
        let rank = originKeys[originOrder[place]].rank.hostRank
        return originOrder[..<place]
            .contains { index in
                originKeys[index].rank.hostRank < rank && originKeys[index].includesAuthority(of: link)
            }
    }

    /// Returns the routed part of a link: its path from an offset on, and the other parts that its origin routes.
    ///
    /// - Throws: ``LinkSyntaxError`` if each part is valid and the whole is not.
    @inline(__always)
    func routedPath(
        of link: DeepLink,
        _ key: Int,
        from start: Int,
        within outer: LinkOffsets? = nil
    ) throws(LinkSyntaxError) -> RoutedPath {
        guard joinsParts, originKeys[key].joinsParts else {
            return RoutedPath(link: link, start: start, offsets: outer)
        }
        return try originKeys[key].routedPath(of: link, from: start, within: outer)
    }
}

/// The edges that the path of a link takes through a catalog.
package struct RouteMatch: Sendable {
    private let steps: ShortList<MatchStep>

    init(_ steps: ShortList<MatchStep>) {
        self.steps = steps
    }

    /// Returns the edges of the path, root first, as indexes into ``RouteCatalog/edges`` of the matching catalog.
    ///
    /// They do not include initial children that the path does not name, and routes that the query opens.
    package func edges(in catalog: RouteCatalog) -> [Int] {
        (0..<steps.count).flatMap { catalog.automaton.chains[steps[$0].chain].edges.map { $0.number } }
    }
}

/// The place of a code in a short link.
package struct ShortLinkPlace: Equatable, Sendable {
    /// The text of the code, or `nil` unless the path is exactly one segment.
    package let code: String?

    /// The byte range of the code in the link, or of the rest of the path without a code.
    let range: LinkRange
}

extension RouteCatalog {
    /// Whether the catalog has an origin of short links.
    package var hasShortLinks: Bool { !shortLinkKeys.isEmpty }

    /// Returns the place of the code in a short link, or `nil` for any other link.
    ///
    /// An exact host comes before a `*`, and the longer prefix before the shorter, as among other origins.
    ///
    /// - Complexity: linear in the link's bytes and the origins.
    package func shortLinkPlace(in link: DeepLink) -> ShortLinkPlace? {
        guard hasShortLinks, !link.isRelative, let start = shortLinkKeys.lazy.compactMap({ $0.start(in: link) }).first,
            origin(of: link) == nil
        else { return nil }
        guard let segment = link.nextSegment(from: start), link.nextSegment(from: segment.end) == nil else {
            return ShortLinkPlace(code: nil, range: LinkRange(start, link.spans.path.end))
        }
        let code = String(decoding: Array(DecodedBytes(link.bytes[segment.start..<segment.end])), as: UTF8.self)
        return ShortLinkPlace(code: code, range: segment)
    }

    /// Returns the address of a code on a host of the origins of short links.
    ///
    /// - Parameters:
    ///   - code: the code, of characters that need no encoding.
    ///   - host: the host, possibly with a port, or `nil` for the first.
    /// - Returns: the address, or `nil` if no such origin has the host.
    package func shortLink(_ code: String, host: String? = nil) -> String? {
        let places = shortLinkOrigins.lazy.flatMap { origin in origin.hosts.lazy.map { (origin, $0) } }
        let place = places.first { _, own in host.map { ASCII.equalIgnoringCase(own, $0) } ?? true }
        guard let (origin, own) = place else { return nil }
        return "https://\(own)" + origin.pathPrefix.map { "/" + $0 }.joined() + "/" + code
    }

    /// Returns whether a link belongs to an origin of short links that takes precedence over another matching origin.
    func isShort(_ link: DeepLink, insteadOf key: OriginKey) -> Bool {
        shortLinkKeys.contains { short in
            (key.isWildcard || short.prefixCount > key.prefixCount) && short.start(in: link) != nil
        }
    }
}
