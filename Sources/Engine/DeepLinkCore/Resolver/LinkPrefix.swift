/// The beginning of a printed link, before its routes: the origin, and the link that provides the scheme and the host.
struct LinkPrefix {
    /// The index in ``RouteCatalog/originKeys``.
    let origin: Int

    /// The link of that origin.
    ///
    /// Without a link, the scheme and the first host are the origin's own.
    var link: DeepLink?

    /// Appends the scheme, the authority and the origin's prefix segments.
    ///
    /// If the first segment is also the host, ``finish(_:from:in:)`` moves it there.
    func begin(_ text: inout LinkBuffer, in catalog: RouteCatalog) {
        if let link {
            text.append(link.spans.scheme, of: link, inLowerCase: true)
        } else {
            catalog.origins[catalog.originKeys[origin].origin].scheme.utf8.withBytes { text.append($0) }
        }
        text.append(ASCII.colon)
        let authority = catalog.originKeys[origin].authority
        guard authority != .rootless else { return }
        text.append(ASCII.slash)
        text.append(ASCII.slash)
        guard authority == .hosts else { return }
        if let link {
            text.append(link.spans.host, of: link, inLowerCase: link.spans.isWeb)
            // A link has a port only if the origin lists it.
            if let port = link.spans.port { ":\(port)".utf8.withBytes { text.append($0) } }
        } else {
            (catalog.origins[catalog.originKeys[origin].origin].hosts.first ?? "").utf8.withBytes { text.append($0) }
        }
    }

    /// Finishes the path that begins at an index, each of its segments after a slash.
    ///
    /// - Returns: Whether the origin has such a path. If the host of web links is a segment, the first segment must be
    ///   a host.
    func finish(_ text: inout LinkBuffer, from start: Int, in catalog: RouteCatalog) -> Bool {
        if catalog.joinsParts, catalog.originKeys[origin].hasHostSegment {
            return moveHost(of: catalog.originKeys[origin], in: catalog, to: &text, from: start)
        }
        let authority = catalog.originKeys[origin].authority
        guard text.count > start else {
            if authority != .rootless { text.append(ASCII.slash) }
            return true
        }
        switch authority {
        case .hosts, .ignore: return true
        case .rootless: text.remove(at: start)
        case .segment:
            let first = text.finished[(start + 1)...].prefix { $0 != ASCII.slash }
            if Self.isHost(first) { text.remove(at: start) }
        }
        return true
    }

    /// Moves the first segment to the host, and inserts the origin's prefix after it.
    private func moveHost(
        of key: OriginKey,
        in catalog: RouteCatalog,
        to text: inout LinkBuffer,
        from start: Int
    ) -> Bool {
        guard text.count > start else { return false }
        let path = text.finished[(start + 1)...]
        let first = path.prefix { $0 != ASCII.slash }
        guard var moved = key.host(ofSegment: first, like: link) else { return false }
        for segment in catalog.origins[key.origin].pathPrefix {
            moved.append(ASCII.slash)
            PercentEncoding.append(segment, keeping: .literal, to: &moved)
        }
        moved += path.dropFirst(first.count)
        if first.count == path.count, key.prefixCount == 0 { moved.append(ASCII.slash) }
        text.replace(from: start, with: moved)
        return true
    }

    /// Returns whether a segment reads the same as a host.
    private static func isHost(_ segment: ArraySlice<UInt8>) -> Bool {
        guard !segment.isEmpty, let link = try? DeepLink(bytes: Array("x://".utf8) + segment) else { return false }
        return link.host.utf8.elementsEqual(segment) && link.port == nil
    }
}

extension RouteCatalog {
    /// Returns the origins for printing a link without another link's origin, in the order in which they are tried.
    ///
    /// An exact host that is a segment has its own table: a stack that begins with this host is printed there.
    func prefixes(preferring key: Int) -> [LinkPrefix] {
        let tables = originKeys.indices.filter { other in
            other != key && originKeys[other].hasWholeHostSegments && scheme(of: other) == scheme(of: key)
        }
        let others = others(than: key).filter { scheme(of: $0) == scheme(of: key) }
        return (tables + (originKeys[key].isWildcard ? [] : [key]) + others).map { LinkPrefix(origin: $0) }
    }

    /// Returns the origins for a stack that a prefix cannot print because its hosts are segments.
    func prefixes(insteadOf base: LinkPrefix) -> [LinkPrefix] {
        guard originKeys[base.origin].hasHostSegment else { return [] }
        return others(than: base.origin).map { LinkPrefix(origin: $0) }
    }

    /// Returns the origins to try if an origin with hosts as segments cannot print a stack.
    ///
    /// These are the tables of its scheme, the first origin of the scheme that prints every stack, the first such
    /// origin of another scheme, and finally the origins with a `*`, which make a host of any first segment.
    private func others(than key: Int) -> [Int] {
        guard originKeys[key].hasHostSegment else { return [] }
        let near = originKeys.indices.filter { scheme(of: $0) == scheme(of: key) }
        let far = originKeys.indices.filter { scheme(of: $0) != scheme(of: key) }
        let plain = [near, far].compactMap { keys in keys.first { !originKeys[$0].hasHostSegment } }
        return near.filter { $0 != key && originKeys[$0].hasWholeHostSegments } + plain
            + near.filter { originKeys[$0].isWildcard }
    }

    private func scheme(of key: Int) -> ByteText { origins[originKeys[key].origin].scheme.bytewise }
}
