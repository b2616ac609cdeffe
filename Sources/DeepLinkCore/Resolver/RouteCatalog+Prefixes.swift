extension RouteCatalog {
    /// Returns the origins for printing a link without another link's origin, in the order that they are tried.
    ///
    /// An exact host that is a segment has a table of its own: a stack that begins with it is printed there.
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

    /// Returns the origins to try if an origin with hosts as segments cannot print a stack: the tables of its scheme,
    /// the first that prints every stack, the first of another scheme that does, and finally those with a `*`, which
    /// make a host of any first segment.
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
