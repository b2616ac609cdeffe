/// What a printed link has before its routes: the origin, and the link whose scheme and host are taken over.
struct LinkPrefix {
    /// Index into ``RouteCatalog/origins``.
    let origin: Int

    /// The link of that origin; without one, the scheme and the first host are the origin's own.
    var link: DeepLink?

    /// Appends scheme, authority and the segments that stand before those of the routes.
    ///
    /// Where the first segment is to stand in the place of the host, ``finish(_:from:in:)`` puts it there.
    func begin(_ text: inout LinkBuffer, in catalog: RouteCatalog) {
        if let link {
            text.append(link.spans.scheme, of: link, inLowerCase: true)
        } else {
            text.append(catalog.origins[origin].scheme.utf8.span)
        }
        text.append(ASCII.colon)
        text.append(ASCII.slash)
        text.append(ASCII.slash)
        guard catalog.originKeys[origin].authority == .hosts else { return }
        if let link {
            text.append(link.spans.host, of: link, inLowerCase: link.spans.isWeb)
        } else {
            text.append((catalog.origins[origin].hosts.first ?? "").utf8.span)
        }
    }

    /// Ends the path that begins at an index, each of its segments after a slash.
    func finish(_ text: inout LinkBuffer, from start: Int, in catalog: RouteCatalog) {
        guard text.count > start else { return text.append(ASCII.slash) }
        guard catalog.originKeys[origin].authority == .segment else { return }
        let first = text.finished[(start + 1)...].prefix { $0 != ASCII.slash }
        if Self.isHost(first) { text.remove(at: start) }
    }

    /// Returns whether a segment reads the same in the place of the host.
    private static func isHost(_ segment: ArraySlice<UInt8>) -> Bool {
        guard !segment.isEmpty, let link = try? DeepLink(bytes: Array("x://".utf8) + segment) else { return false }
        return link.host.utf8.elementsEqual(segment) && link.port == nil
    }
}
