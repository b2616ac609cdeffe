/// An origin, prepared for comparing links with it.
///
/// Each host with a `*` has its own key.
final class OriginKey: Sendable {
    /// The index in ``RouteCatalog/origins``.
    let origin: Int

    /// The scheme and the hosts, one after another.
    private let text: [UInt8]

    private let scheme: Range<Int>
    private let hosts: [Range<Int>]

    /// Whether the only host is a wildcard, which matches all hosts with the same ending and a longer name.
    let isWildcard: Bool

    let authority: Origin.Authority
    private let isWeb: Bool
    private let pathPrefix: [[UInt8]]

    /// Whether the path continues in the fragment.
    private let routesFragment: Bool

    private init(_ origin: Origin, index: Int, hosts hostTexts: [String], isWildcard: Bool) {
        self.origin = index
        var text = Array(origin.scheme.utf8)
        scheme = text.indices
        hosts = hostTexts.map { host in
            let start = text.count
            text += host.utf8
            return start..<text.count
        }
        self.text = text
        self.isWildcard = isWildcard
        authority = origin.authority
        isWeb = origin.isWeb
        pathPrefix = origin.pathPrefix.map { Array($0.utf8) }
        routesFragment = origin.routesFragment
    }

    /// Returns the keys of an origin, exact hosts before hosts with a `*`.
    static func all(of origin: Origin, at index: Int) -> [OriginKey] {
        guard origin.authority == .segment, origin.isWeb else {
            return [OriginKey(origin, index: index, hosts: origin.hosts, isWildcard: false)]
        }
        let wildcards = origin.hosts.filter { $0.utf8.first == UInt8(ascii: "*") }
        let exact = origin.hosts.filter { $0.utf8.first != UInt8(ascii: "*") }
        return
            (exact.isEmpty && !wildcards.isEmpty
            ? [] : [OriginKey(origin, index: index, hosts: exact, isWildcard: false)])
            + wildcards.map { host in
                // The text after the `*` begins with a dot.
                let suffix = String(Substring(host.utf8.dropFirst()))
                return OriginKey(origin, index: index, hosts: [suffix], isWildcard: true)
            }
    }

    /// The rank among several matching origins: an exact host before a `*`, the longer suffix before the shorter, then
    /// the longer prefix before the shorter.
    var rank: (hostRank: Int, prefixRank: Int) {
        (isWildcard ? Int(UInt16.max) - (hosts.first?.count ?? 0) : 0, -pathPrefix.count)
    }

    /// The number of segments in the origin's prefix.
    var prefixCount: Int { pathPrefix.count }

    /// Whether the host of a web link is also a segment.
    var hasHostSegment: Bool { isWeb && authority == .segment }

    /// Whether the host of a web link is a segment, and no host has a `*`.
    var hasWholeHostSegments: Bool { hasHostSegment && !isWildcard }

    /// Whether the routed text may have to be assembled from parts of the link.
    var joinsParts: Bool { hasHostSegment || routesFragment }

    /// Returns the offset in a link from which its routes are matched, or `nil` if the link is not of this origin.
    ///
    /// The offset is at a slash, the first byte of a segment, or the path's end. If the host of a web link is a
    /// segment, it precedes that offset.
    func start(in link: DeepLink) -> Int? {
        guard includesAuthority(of: link) else { return nil }
        var start = link.spans.path.start
        // Host and port directly precede the path, so that they read as its first segment.
        if authority == .segment, !isWeb, !link.spans.host.isEmpty { start = link.spans.host.start }
        for prefix in pathPrefix {
            guard let segment = link.nextSegment(from: start),
                DecodedBytes(link.bytes[segment.start..<segment.end]).elementsEqual(prefix)
            else { return nil }
            start = segment.end
        }
        return start
    }

    /// Returns whether a link has the scheme and one of the hosts.
    func includesAuthority(of link: DeepLink) -> Bool {
        guard isEqual(scheme, stretch: link.spans.scheme, of: link) else { return false }
        if link.spans.host.isEmpty { return !isWeb && (authority == .rootless || !link.isRootless) }
        guard authority == .hosts || hasHostSegment else { return authority != .rootless }
        let suffix = portSuffix(link)
        for host in hosts where host.count >= suffix.count {
            let end = host.upperBound - suffix.count
            guard suffix.isEmpty || text[end..<host.upperBound] == suffix[...] else { continue }
            guard isWildcard else {
                if isEqual(host.lowerBound..<end, stretch: link.spans.host, of: link) { return true }
                continue
            }
            let count = end - host.lowerBound
            guard link.spans.host.count > count else { continue }
            let tail = LinkRange(link.spans.host.end - count, link.spans.host.end)
            if isEqual(host.lowerBound..<end, stretch: tail, of: link) { return true }
        }
        return false
    }

    /// Compares texts, ignoring the case of the link's letters.
    @inline(__always)
    private func isEqual(_ range: Range<Int>, stretch: LinkRange, of link: DeepLink) -> Bool {
        guard range.count == stretch.count else { return false }
        // Most links are in lower case.
        let bytes = link.bytes
        let text = text
        if ByteWord.areEqual(bytes.span, range: stretch.indices, others: text.span, from: range.lowerBound) {
            return true
        }
        for offset in 0..<range.count
        where ASCII.lowercased(link.bytes[stretch.start + offset]) != text[range.lowerBound + offset] {
            return false
        }
        return true
    }

    // MARK: Parts

    /// Assembles the routed text of a link: its host, its path from an offset on, and its fragment.
    ///
    /// - Throws: ``LinkSyntaxError`` if each part is valid and the whole is not.
    func routedPath(
        of link: DeepLink,
        from start: Int,
        within outer: LinkOffsets?
    ) throws(LinkSyntaxError) -> RoutedPath {
        let fragment = routesFragment ? link.spans.fragment : nil
        let segment = hostSegment(of: link)
        guard segment != nil || fragment?.isEmpty == false else {
            return RoutedPath(link: link, start: start, offsets: outer)
        }
        if fragment == nil, let segment, segment.upperBound == start, !hasUppercase(segment, of: link) {
            return RoutedPath(link: link, start: segment.lowerBound, offsets: outer)
        }
        var assembly = LinkAssembly(of: link)
        if let segment {
            assembly.append(separator: ASCII.slash, at: segment.lowerBound)
            assembly.append(segment, inLowerCase: true)
        }
        // Two leading slashes would begin a host.
        let path = start + link.bytes[start..<link.spans.path.end].prefix { $0 == ASCII.slash }.count
        assembly.append(separator: ASCII.slash, at: start)
        assembly.append(path..<link.spans.path.end)
        var query = link.spans.query.indices
        if let fragment {
            let end = link.bytes[fragment.indices].firstIndex(of: ASCII.question) ?? fragment.end
            let first = fragment.start + link.bytes[fragment.start..<end].prefix { $0 == ASCII.slash }.count
            if first < end, path < link.spans.path.end { assembly.append(separator: ASCII.slash, at: fragment.start) }
            assembly.append(first..<end)
            var separator = ASCII.question
            if !query.isEmpty {
                assembly.append(separator: separator, at: query.lowerBound)
                assembly.append(query)
                separator = ASCII.ampersand
            }
            query = min(end + 1, fragment.end)..<fragment.end
            if !query.isEmpty {
                assembly.append(separator: separator, at: query.lowerBound)
                assembly.append(query)
            }
        } else if !query.isEmpty {
            assembly.append(separator: ASCII.question, at: query.lowerBound)
            assembly.append(query)
        }
        let (joined, offsets) = try assembly.finish(within: outer, hasFragment: fragment != nil)
        return RoutedPath(
            link: joined,
            start: joined.spans.path.start,
            offsets: offsets
        )
    }

    /// Returns the part of a web link's host that is a segment, or `nil` if there is none.
    private func hostSegment(of link: DeepLink) -> Range<Int>? {
        guard hasHostSegment else { return nil }
        guard isWildcard, let host = hosts.first else { return link.spans.host.indices }
        let count = text[host].firstIndex(of: ASCII.colon).map { $0 - host.lowerBound } ?? host.count
        return link.spans.host.start..<(link.spans.host.end - count)
    }

    private func hasUppercase(_ range: Range<Int>, of link: DeepLink) -> Bool {
        link.bytes[range].contains { ASCII.lowercased($0) != $0 }
    }

    /// Returns the host for a printed first segment, with its port if it has one, or `nil` if no host matches the
    /// segment.
    ///
    /// If the given link has a host, that host keeps its port, and a `*` keeps the link's value: no other name is known
    /// to be a host.
    func host(ofSegment segment: ArraySlice<UInt8>, like link: DeepLink?) -> [UInt8]? {
        let own = link.flatMap(hostSegment).map { link?.bytes[$0].map(ASCII.lowercased) ?? [] }
        guard isWildcard else {
            let named = hosts.filter { text[$0].prefix { $0 != ASCII.colon }.elementsEqual(segment) }
            let port = own?.elementsEqual(segment) == true ? link.map(portSuffix) : nil
            let host = named.first { port.map(text[$0].dropFirst(segment.count).elementsEqual) ?? true } ?? named.first
            return host.map { Array(text[$0]) }
        }
        if let own, !segment.elementsEqual(own) { return nil }
        let whole = segment + hosts.flatMap { text[$0] }
        guard let link = try? DeepLink(bytes: Array("x://".utf8) + whole), link.spans.path.isEmpty,
            link.spans.query.isEmpty, link.spans.fragment == nil, !segment.isEmpty
        else { return nil }
        return Array(whole)
    }

    /// Returns a link's port with the colon before it, empty if it has none.
    private func portSuffix(_ link: DeepLink) -> [UInt8] { link.spans.port.map { Array(":\($0)".utf8) } ?? [] }
}

/// The frequently read fields of an edge, packed so that reading them retains nothing.
struct PackedEdge: Sendable {
    private let parentNode: Int32
    private let childRoute: Int32

    /// The child's initial edge, or a negative number if there is none.
    private let next: Int32

    // The ranges of the edge's texts in ``CatalogGraph/texts``.
    private let textStart: Int32
    private let jsonEnd: Int32
    private let segmentsEnd: Int32
    private let lastSegmentsEnd: Int32

    /// The level that a user needs for this edge.
    let authorizationLevel: AuthorizationLevel

    /// The grants that a user needs for this edge.
    let grants: GrantSet

    let isInitial: Bool
    let isLinkable: Bool
    let isTab: Bool

    /// Whether a query key opens the child.
    let isQuery: Bool

    /// Whether the link may have values for the child.
    let hasParameters: Bool

    /// Whether this is the only edge between its two routes.
    let isAlone: Bool

    /// Whether the child redirects to the link in its query.
    let isRedirect: Bool

    /// Whether the child opens routes by query keys.
    let childHasQueries: Bool

    /// Whether links to the child must be signed.
    let isSigned: Bool

    /// The child's only value from the link, if the parameter is of the most frequent kind.
    let value: SoleParameter?

    /// Packs the fields of an edge, and appends its texts to the texts of earlier edges.
    init(
        _ edge: Edge,
        childInitial: EdgeIndex?,
        isAlone: Bool,
        childHasQueries: Bool,
        isSigned: Bool,
        texts: inout [UInt8]
    ) {
        parentNode = Int32(edge.parent)
        childRoute = Int32(edge.child)
        next = childInitial.map { Int32($0.number) } ?? -1
        authorizationLevel = edge.authorizationLevel
        grants = edge.requirements.grants
        isInitial = edge.isInitial
        isLinkable = edge.isLinkable
        isTab = edge.presentation == .tab
        isQuery = edge.queryKey != nil
        hasParameters = !edge.parameters.isEmpty
        isRedirect = edge.linkParameter != nil
        self.isAlone = isAlone
        self.childHasQueries = childHasQueries
        self.isSigned = isSigned
        value = SoleParameter(edge)
        textStart = Int32(texts.count)
        texts += JSONWriter.prepared(route: edge.routeName, presentation: edge.presentation)
        jsonEnd = Int32(texts.count)
        let segments = value == nil && hasParameters ? [] : edge.address.patterns.flatMap { $0.segments }
        let place = value?.segment ?? segments.count
        for segment in segments[..<place] { Self.append(segment, to: &texts) }
        segmentsEnd = Int32(texts.count)
        for segment in segments.dropFirst(place + 1) { Self.append(segment, to: &texts) }
        lastSegmentsEnd = Int32(texts.count)
    }

    private static func append(_ segment: PathPattern.Segment, to texts: inout [UInt8]) {
        texts.append(ASCII.slash)
        PercentEncoding.append(segment.text, keeping: .literal, to: &texts)
    }

    /// The presenting route, or the node of `entry`.
    var parent: Int { Int(parentNode) }

    /// The opened route.
    var child: Int { Int(childRoute) }

    var childInitial: EdgeIndex? { next < 0 ? nil : EdgeIndex(next) }

    // MARK: Ranges of the texts

    /// The beginning of the destination in a plan's JSON.
    var json: Range<Int> { Int(textStart)..<Int(jsonEnd) }

    /// The segments of a printed path, each after its slash, up to the value if there is one.
    ///
    /// Empty if the path must be assembled.
    var segments: Range<Int> { Int(jsonEnd)..<Int(segmentsEnd) }

    /// The segments after the value.
    var lastSegments: Range<Int> { Int(segmentsEnd)..<Int(lastSegmentsEnd) }
}

/// The only parameter of an edge with a path of literals and one whole segment for it: the most frequent kind.
///
/// Such a path is read and printed without examining its pattern.
struct SoleParameter: Sendable {
    /// The index of the segment that holds the value.
    let segment: Int

    /// The type of the value: a text or a whole number.
    let type: PlainType

    init?(_ edge: Edge) {
        guard let pattern = edge.address.patterns.first, let parameter = edge.parameters.first,
            edge.parameters.count == 1, parameter.plainType != .other, !edge.hasOptionalSegments,
            let place = pattern.segments.firstIndex(where: { $0.parameterName != nil }),
            !pattern.segments[place].isRest
        else { return nil }
        segment = place
        type = parameter.plainType
    }
}

/// A destination under construction: its edge, and its values.
struct StackElement: Hashable, Sendable {
    /// The reason why a destination is in a stack.
    enum Origin: Hashable, Sendable {
        /// The path names it.
        case path

        /// Its parent shows it by default.
        case initial

        /// A key of the query opens it.
        case query

        /// The client already shows it.
        case current
    }

    /// The index in ``RouteCatalog/edges``.
    let edge: EdgeIndex

    /// The values, in the order of the edge's parameters.
    var arguments: [BoundParameter] = []

    /// The reason why the destination is in the stack.
    var origin = Origin.current
}
