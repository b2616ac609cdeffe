extension RouteCatalog {
    /// The origins under which a link is printed where no link says one, in the order that they are tried.
    ///
    /// A host that is a segment by itself names a table of its own: a stack that begins with it is printed there.
    func prefixes(preferring key: Int) -> [LinkPrefix] {
        let tables = originKeys.indices.filter { other in
            other != key && originKeys[other].hasWholeHostSegments && scheme(of: other) == scheme(of: key)
        }
        return (tables + [key] + sameScheme(as: key)).map { LinkPrefix(origin: $0) }
    }

    /// The origins under which a stack is printed that a prefix cannot print, as its hosts are segments.
    func prefixes(insteadOf base: LinkPrefix) -> [LinkPrefix] {
        guard originKeys[base.origin].hasHostSegment else { return [] }
        let near = sameScheme(as: base.origin)
        let far = originKeys.indices.filter { scheme(of: $0) != scheme(of: base.origin) }
        return (near + far).map { LinkPrefix(origin: $0) }
    }

    /// The other origins of a scheme, where not every stack can be printed under one of them.
    private func sameScheme(as key: Int) -> [Int] {
        guard originKeys[key].hasHostSegment else { return [] }
        return originKeys.indices.filter { $0 != key && scheme(of: $0) == scheme(of: key) }
    }

    private func scheme(of key: Int) -> ByteText { origins[originKeys[key].origin].scheme.bytewise }
}
