/// What a printed link has before its routes: the origin, and the link whose scheme and host are taken over.
struct LinkPrefix {
    /// Index into ``RouteCatalog/originKeys``.
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
            text.append(catalog.origins[catalog.originKeys[origin].origin].scheme.utf8.span)
        }
        text.append(ASCII.colon)
        let authority = catalog.originKeys[origin].authority
        guard authority != .rootless else { return }
        text.append(ASCII.slash)
        text.append(ASCII.slash)
        guard authority == .hosts else { return }
        if let link {
            text.append(link.spans.host, of: link, inLowerCase: link.spans.isWeb)
        } else {
            text.append((catalog.origins[catalog.originKeys[origin].origin].hosts.first ?? "").utf8.span)
        }
    }

    /// Ends the path that begins at an index, each of its segments after a slash.
    ///
    /// - Returns: whether the origin has such a path; where the host of web links is a segment, its first one has to be
    ///   a host.
    func finish(_ text: inout LinkBuffer, from start: Int, in catalog: RouteCatalog) -> Bool {
        if catalog.joinsParts, catalog.originKeys[origin].hasHostSegment {
            return moveHost(of: catalog.originKeys[origin], catalog, &text, from: start)
        }
        guard text.count > start else {
            text.append(ASCII.slash)
            return true
        }
        switch catalog.originKeys[origin].authority {
        case .hosts, .ignore: return true
        case .rootless: text.remove(at: start)
        case .segment:
            let first = text.finished[(start + 1)...].prefix { $0 != ASCII.slash }
            if Self.isHost(first) { text.remove(at: start) }
        }
        return true
    }

    /// Makes the first segment the host, and puts the prefix of the origin behind it.
    private func moveHost(
        of key: OriginKey,
        _ catalog: RouteCatalog,
        _ text: inout LinkBuffer,
        from start: Int
    ) -> Bool {
        guard text.count > start else { return false }
        let path = text.finished[(start + 1)...]
        let first = path.prefix { $0 != ASCII.slash }
        guard var moved = key.host(ofSegment: first, like: link) else { return false }
        for segment in catalog.origins[key.origin].pathPrefix {
            moved.append(ASCII.slash)
            PercentEncoding.append(segment, to: &moved)
        }
        moved += path.dropFirst(first.count)
        if first.count == path.count, key.prefixCount == 0 { moved.append(ASCII.slash) }
        text.replace(from: start, with: moved)
        return true
    }

    /// Returns whether a segment reads the same in the place of the host.
    private static func isHost(_ segment: ArraySlice<UInt8>) -> Bool {
        guard !segment.isEmpty, let link = try? DeepLink(bytes: Array("x://".utf8) + segment) else { return false }
        return link.host.utf8.elementsEqual(segment) && link.port == nil
    }
}
