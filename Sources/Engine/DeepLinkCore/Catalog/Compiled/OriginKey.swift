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
