extension RouteCatalog {
    /// Finds the routes that a link's path names, whoever asks, and before its query is read; `nil` where none match or
    /// the link is of no origin.
    ///
    /// This is the first step of ``resolve(_:userLevel:catalog:)``, by itself.
    ///
    /// - Complexity: linear in the link's segments times the candidates tried at each; nothing is allocated where the
    ///   first candidates fit and at most eight routes are named.
    public func match(_ link: DeepLink) -> RouteMatch? {
        guard let (key, start) = origin(of: link) else { return nil }
        var matcher = PathMatcher()
        guard joinsParts else {
            return matcher.match(link, from: start, at: graph.entryNode, in: self) ? RouteMatch(matcher.steps) : nil
        }
        guard let path = try? routedPath(of: link, key, from: start) else { return nil }
        return matcher.match(path.link, from: path.start, at: graph.entryNode, in: self)
            ? RouteMatch(matcher.steps) : nil
    }

    /// Returns whether a link has the scheme and one of the hosts of an origin, whatever the path.
    ///
    /// Hosts are compared without regard to case; under a custom scheme an empty host always fits. A link with
    /// a port fits only a host that is listed with that port.
    public func includesAuthority(of link: DeepLink) -> Bool {
        originKeys.contains { $0.includesAuthority(of: link) }
    }

    /// Finds the origin of a link, an index into ``originKeys``, and the place from which its routes are matched.
    ///
    /// Of several origins that fit, the one that has the whole host is meant, then the one with the longest prefix, and
    /// then the first. A host that is named is none of those that a `*` stands for.
    func origin(of link: DeepLink) -> (index: Int, start: Int)? {
        for place in originOrder.indices {
            let index = originOrder[place]
            guard let start = originKeys[index].start(in: link) else { continue }
            return originKeys[index].isWildcard && isClaimed(link, before: place) ? nil : (index, start)
        }
        return nil
    }

    /// Returns whether a link has a host that an origin before a place names better, under another prefix.
    private func isClaimed(_ link: DeepLink, before place: Int) -> Bool {
        let rank = originKeys[originOrder[place]].rank.hostRank
        return originOrder[..<place]
            .contains { index in
                originKeys[index].rank.hostRank < rank && originKeys[index].includesAuthority(of: link)
            }
    }

    /// Finds what is routed of a link: its path from a place on, and what else its origin says.
    ///
    /// - Throws: ``LinkSyntaxError``, where the parts keep the rules of links and the whole does not.
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

/// The way through a catalog that the path of a link takes.
public struct RouteMatch: Sendable {
    private let steps: ShortList<MatchStep>

    init(_ steps: ShortList<MatchStep>) {
        self.steps = steps
    }

    /// Lists the edges that are taken, root first: indexes into ``RouteCatalog/edges`` of the catalog that was asked.
    ///
    /// Initial children that the path does not name, and what the query opens, are not among them.
    public func edges(in catalog: RouteCatalog) -> [Int] {
        (0..<steps.count).flatMap { catalog.automaton.chains[steps[$0].chain].edges.map(\.number) }
    }
}
