/// An origin, laid out for telling whether links are its own.
final class OriginKey: Sendable {
    /// The scheme and the hosts, one after another.
    private let text: [UInt8]

    private let scheme: Range<Int>
    private let hosts: [Range<Int>]
    let authority: Origin.Authority
    private let isWeb: Bool
    private let pathPrefix: [[UInt8]]

    init(_ origin: Origin) {
        var text = Array(origin.scheme.utf8)
        scheme = text.indices
        hosts = origin.hosts.map { host in
            let start = text.count
            text += host.utf8
            return start..<text.count
        }
        self.text = text
        authority = origin.authority
        isWeb = origin.isWeb
        pathPrefix = origin.pathPrefix.map { Array($0.utf8) }
    }

    /// The number of segments with which the origin's paths begin, before those of the routes.
    var prefixCount: Int { pathPrefix.count }

    /// Finds the place in a link from which its routes are matched; `nil` where the link is foreign.
    ///
    /// It is a slash, the first byte of a segment, or the path's end.
    func start(in link: DeepLink) -> Int? {
        guard includesAuthority(of: link) else { return nil }
        var start = link.spans.path.start
        if authority == .segment, !link.spans.host.isEmpty {
            // The host stands right before the path, so the two read as one; a stray colon may not come between.
            guard link.spans.host.end == start else { return nil }
            start = link.spans.host.start
        }
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
        guard isEqual(scheme, link.spans.scheme, of: link) else { return false }
        if link.spans.host.isEmpty { return !isWeb }
        guard authority == .hosts else { return link.spans.port == nil }
        let suffix = link.spans.port.map { Array(":\($0)".utf8) } ?? []
        for host in hosts where host.count >= suffix.count {
            let end = host.upperBound - suffix.count
            guard suffix.isEmpty || text[end..<host.upperBound] == suffix[...] else { continue }
            if isEqual(host.lowerBound..<end, link.spans.host, of: link) { return true }
        }
        return false
    }

    /// Compares without regard to the case of the link's letters.
    @inline(__always)
    private func isEqual(_ range: Range<Int>, _ stretch: LinkRange, of link: DeepLink) -> Bool {
        guard range.count == stretch.count else { return false }
        // Most links are in lower case.
        let bytes = link.bytes
        let text = text
        if ByteWord.areEqual(bytes.span, stretch.indices, text.span, from: range.lowerBound) { return true }
        for offset in 0..<range.count
        where ASCII.lowercased(link.bytes[stretch.start + offset]) != text[range.lowerBound + offset] {
            return false
        }
        return true
    }
}
