/// The matcher of a link's path against the catalog's edges.
///
/// At every segment the most specific candidate is taken, independent of the segments before it (decision record 12).
/// Nothing is allocated if the first candidates reach the end without competition.
struct PathMatcher {
    /// The accepted patterns, in the order of the path.
    private(set) var steps = ShortList<MatchStep>()

    /// The failure that got furthest if the path does not match.
    private(set) var failure: MatchError?

    /// Matches a link's path, from an offset in it and a node on.
    ///
    /// - Returns: Whether it matches. If so, ``steps`` holds the accepted patterns.
    /// - Complexity: linear in the reachable pairs of a state and a position, times the candidates tried at each.
    mutating func match(_ link: DeepLink, from start: Int, at node: Int, in catalog: RouteCatalog) -> Bool {
        let path = link.pathBytes
        if descend(path, from: start, at: node, in: catalog) { return true }
        steps = ShortList<MatchStep>()
        var search = RouteSearch(path, catalog: catalog)
        switch Self.search(&search, from: start, at: node) {
        case .success(let found):
            steps = found
            return true
        case .failure(let found):
            failure = found
            return false
        }
    }

    // The path and the catalog are passed from call to call: loading them from a property would retain them each time.

    // MARK: Without backtracking

    /// Follows the first candidate at each position, which suffices for most links.
    ///
    /// - Returns: Whether this reached the end without competition. The result is then the same as from the search,
    ///   which tries the same candidates first.
    private mutating func descend(
        _ path: PathBytes,
        from start: Int,
        at node: Int,
        in catalog: RouteCatalog
    ) -> Bool {
        let automaton = catalog.automaton
        var node = node
        var state = automaton.roots[node]
        var patternStart = start
        var next = path.nextSegment(from: start)
        while let segment = next {
            guard let following = Self.firstState(after: state, segment: segment, path: path, automaton: automaton)
            else { return false }
            next = path.nextSegment(from: segment.end)
            let reached = automaton.states[following]
            if reached.hasChildren, next != nil {
                guard !reached.isFork else { return false }
                state = following
                continue
            }
            guard let chain = reached.chain else { return false }
            steps.append(MatchStep(chain: chain, start: patternStart, end: segment.end))
            node = automaton.chains[chain].node
            state = automaton.roots[node]
            patternStart = segment.end
        }
        guard let last = Self.lastStep(at: node, position: patternStart, in: catalog) else {
            return node != catalog.graph.entryNode
        }
        steps.append(last)
        return true
    }

    /// Returns the state after the most specific candidate, or `nil` if there is none, or more than one.
    @inline(__always)
    private static func firstState(
        after state: StateIndex,
        segment: LinkRange,
        path: PathBytes,
        automaton: MatchingAutomaton
    ) -> StateIndex? {
        let place = automaton.states[state]
        if !place.literals.isEmpty, let next = automaton.next(from: state, with: segment, of: path.bytes) {
            return next
        }
        guard place.patterns < 0 else { return nil }
        for number in place.captures {
            let lead = automaton.leads[CaptureIndex(number)]
            let isAccepted =
                switch lead.plainType {
                case .text: true
                case .int where segment.int(of: path.bytes.span) != nil: true
                case .int, .other: automaton.captures[CaptureIndex(number)].accepts(segment, of: path.bytes)
                }
            guard isAccepted else { continue }
            return lead.isAlone
                ? lead.next
                : Self.onlyState(from: CaptureIndex(number), segment: segment, path: path, automaton: automaton)
        }
        return nil
    }

    /// Returns the state after a capture that accepts a segment, or `nil` if an equally specific capture accepts it
    /// too.
    private static func onlyState(
        from capture: CaptureIndex,
        segment: LinkRange,
        path: PathBytes,
        automaton: MatchingAutomaton
    ) -> StateIndex? {
        guard automaton.captures[capture].isSimple else { return nil }
        var other = capture
        while !automaton.captures[other].isLastOfRank {
            other = CaptureIndex(other.number + 1)
            if automaton.captures[other].accepts(segment, of: path.bytes) { return nil }
        }
        return automaton.captures[capture].next
    }

    /// Returns the step that ends a path at a node: a child without segments that opens nothing, or `entry`'s initial
    /// one.
    static func lastStep(at node: Int, position: Int, in catalog: RouteCatalog) -> MatchStep? {
        let initial = node == catalog.graph.entryNode ? catalog.automaton.entryInitial : nil
        let chain = catalog.automaton.states[catalog.automaton.roots[node]].chain ?? initial
        return chain.map { MatchStep(chain: $0, start: position, end: position) }
    }

    // MARK: The search

    /// Searches all readings of the path.
    ///
    /// - Returns: The steps of the most specific one, or the failure that got furthest.
    static func search(
        _ search: inout RouteSearch,
        from start: Int,
        at node: Int
    ) -> Result<ShortList<MatchStep>, MatchError> {
        let catalog = search.catalog
        var steps = ShortList<MatchStep>()
        var end = (node: node, position: start)
        if let segment = search.path.nextSegment(from: start) {
            switch MostSpecificPath.find(&search, from: node, startingAt: start, segment: segment) {
            case .failure(let failure): return .failure(failure)
            case .success(let found): steps = found
            }
            if let last = steps.last { end = (catalog.automaton.chains[last.chain].node, last.end) }
        }
        if let last = lastStep(at: end.node, position: end.position, in: catalog) {
            steps.append(last)
        } else if end.node == catalog.graph.entryNode {
            let rejection = DeadEnd(state: catalog.automaton.roots[node], segment: nil, capture: nil)
            return .failure(MatchError(rejection: rejection, steps: steps))
        }
        return .success(steps)
    }
}

/// One accepted pattern: its chain of edges, and the position of its segments in the link.
struct MatchStep: Hashable, Sendable {
    /// The index in ``MatchingAutomaton/chains``.
    let chain: ChainIndex

    /// The byte offset from which the pattern's segments are read.
    let start: Int

    /// The byte offset after the pattern's last segment.
    let end: Int
}

extension MatchStep: ShortListElement {
    // A link has at most 8,192 bytes, and an automaton fewer than 2^31 chains.
    var word: UInt64 { UInt64(chain.number) << 32 | UInt64(start) << 16 | UInt64(end) }

    init(word: UInt64) {
        self.init(
            chain: ChainIndex(Int(word >> 32)),
            start: Int(UInt16(truncatingIfNeeded: word >> 16)),
            end: Int(UInt16(truncatingIfNeeded: word))
        )
    }
}

/// The failure that got furthest into a path, which is most likely the intended path.
///
/// It is a class because it is usually absent: a match then stores one word for it.
final class MatchError: Error {
    /// The dead end of the path, or `nil` if the path has no segments.
    let rejection: DeadEnd?

    /// The accepted patterns before the dead end, the most specific ones that reach it.
    let steps: ShortList<MatchStep>

    init(rejection: DeadEnd?, steps: ShortList<MatchStep>) {
        self.rejection = rejection
        self.steps = steps
    }
}

/// The point at which a candidate failed, and its cause.
struct DeadEnd: Sendable {
    /// The state that could not continue.
    let state: StateIndex

    /// The segment that did not fit, or `nil` if the path ended too early.
    let segment: LinkRange?

    /// The parameter that did not accept the segment, or `nil` if no literal or parameter was left to try.
    let capture: MatchingAutomaton.Capture?
}

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
