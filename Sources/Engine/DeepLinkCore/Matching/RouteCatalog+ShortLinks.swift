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
