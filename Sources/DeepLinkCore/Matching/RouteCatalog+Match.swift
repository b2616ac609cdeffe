extension RouteCatalog {
    /// Finds the routes that a link's path names, whoever asks, and before its query is read; `nil` where none match or
    /// the link is of no origin.
    ///
    /// This is the first step of ``resolve(_:userLevel:catalog:)``, by itself.
    ///
    /// - Complexity: linear in the link's segments times the candidates tried at each; nothing is allocated where the
    ///   first candidates fit and at most eight routes are named.
    public func match(_ link: DeepLink) -> RouteMatch? {
        guard let (_, start) = origin(of: link) else { return nil }
        var matcher = PathMatcher()
        return matcher.match(link, from: start, at: graph.entryNode, in: self) ? RouteMatch(matcher.steps) : nil
    }

    /// Returns whether a link has the scheme and one of the hosts of an origin, whatever the path.
    ///
    /// Hosts are compared without regard to case; under a custom scheme an empty host always fits. A link with
    /// a port fits only a host that is listed with that port.
    public func includesAuthority(of link: DeepLink) -> Bool {
        originKeys.contains { $0.includesAuthority(of: link) }
    }

    /// Finds the origin of a link, an index into ``origins``, and the place from which its routes are matched.
    ///
    /// Of several origins that fit, the one with the longest prefix is meant, and then the first.
    func origin(of link: DeepLink) -> (index: Int, start: Int)? {
        for place in originOrder.indices {
            let index = originOrder[place]
            if let start = originKeys[index].start(in: link) { return (index, start) }
        }
        return nil
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
