/// A link under construction: as long as it is equal to a known link, nothing is copied.
///
/// Most resolved links are canonical already, so their canonical link is the link itself.
struct LinkBuffer {
    /// The printed bytes from the first difference to the known link on, and before it the beginning of the known link.
    private var bytes: [UInt8]

    /// The number of bytes equal to the known link so far.
    ///
    /// `nil` after a difference, or without a known link.
    private var equalCount: Int?

    /// Creates a buffer for a link that may be equal to the known one.
    init(like known: DeepLink?) {
        bytes = known?.bytes ?? []
        equalCount = known == nil ? nil : 0
    }

    /// The number of printed bytes.
    var count: Int { equalCount ?? bytes.count }

    /// The byte at an index.
    subscript(index: Int) -> UInt8 { bytes[index] }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if let count = equalCount, count < bytes.count, bytes[count] == byte {
            equalCount = count + 1
        } else {
            appendDifferent(byte)
        }
    }

    /// Appends raw bytes.
    mutating func append(_ text: Span<UInt8>) {
        if let count = equalCount, count + text.count <= bytes.count {
            let range = count..<count + text.count
            if ByteWord.areEqual(bytes.span, range: range, others: text, from: 0) {
                equalCount = range.upperBound
                return
            }
        }
        for index in text.indices { append(text[index]) }
    }

    /// Appends a segment, a name or a value, percent-encoded.
    mutating func append(encoding text: String, keeping kept: ByteSet = .kept) {
        text.utf8.withBytes { bytes in
            guard PercentEncoding.isPlain(bytes, keeping: kept) else {
                var encoded: [UInt8] = []
                PercentEncoding.append(text, keeping: kept, to: &encoded)
                return append(encoded.span)
            }
            append(bytes)
        }
    }

    /// Appends a range of the known link itself, optionally in lower case.
    mutating func append(_ range: LinkRange, of known: DeepLink, inLowerCase: Bool) {
        var index = range.start
        if equalCount == index {
            while index < range.end, !inLowerCase || ASCII.lowercased(bytes[index]) == bytes[index] { index += 1 }
            equalCount = index
        }
        while index < range.end {
            append(inLowerCase ? ASCII.lowercased(known.bytes[index]) : known.bytes[index])
            index += 1
        }
    }

    private mutating func appendDifferent(_ byte: UInt8) {
        if let count = equalCount {
            bytes.removeSubrange(count...)
            equalCount = nil
        }
        bytes.append(byte)
    }

    /// Removes a byte.
    mutating func remove(at index: Int) {
        bytes = finished
        equalCount = nil
        bytes.remove(at: index)
    }

    /// Replaces everything from an index on.
    mutating func replace(from index: Int, with text: [UInt8]) {
        bytes = finished
        equalCount = nil
        bytes.replaceSubrange(index..., with: text)
    }

    /// The whole text, or the bytes of the known link if the two are equal.
    var finished: [UInt8] { equalCount.map { $0 == bytes.count ? bytes : Array(bytes[..<$0]) } ?? bytes }
}

/// The edges that print the destinations of a stack, and the destinations that a link leaves out.
struct PrintPlan {
    /// The edges that differ from the edges of the stack, by index.
    private var others: [Int: EdgeIndex] = [:]

    /// The indices of the destinations that are not printed.
    private var hidden: Set<Int> = []

    /// Plans from the top down.
    ///
    /// An initial child is printed only if it is on top or opens the next printed destination. A destination that only
    /// opens an unprinted destination is left out too.
    init(_ stack: [StackElement], in graph: CatalogGraph) {
        var parentOfNext: Int?
        for index in stack.indices.reversed() {
            var edge = stack[index].edge
            var isInitial = graph.packed[edge].isInitial
            if !graph.packed[edge].isAlone {
                (edge, isInitial) = Self.alternative(to: stack[index], in: graph)
                others[index] = edge
            }
            let packedEdge = graph.packed[edge]
            // A route that a key opens over its parent is there without the key.
            if isInitial, packedEdge.isQuery || (parentOfNext.map { $0 != packedEdge.child } ?? !packedEdge.isLinkable)
            {
                hidden.insert(index)
            } else {
                parentOfNext = packedEdge.parent
            }
        }
    }

    /// Returns the edge that prints the destination at an index.
    func edge(of element: StackElement, at index: Int) -> EdgeIndex {
        others.isEmpty ? element.edge : others[index] ?? element.edge
    }

    /// Returns whether the destination at an index is printed.
    func isPrinted(_ index: Int) -> Bool { hidden.isEmpty || !hidden.contains(index) }

    /// Returns the edge that prints a destination, and whether a link that leaves the destination out means the same.
    ///
    /// Of the edges between the same two routes with the same presentation, the first with fitting parameters is
    /// printed. If the initial edge is among them, the destination is shown without being named.
    private static func alternative(
        to element: StackElement,
        in graph: CatalogGraph
    ) -> (edge: EdgeIndex, isInitial: Bool) {
        let own = graph.edges[element.edge]
        // A list may be long, so parameters are compared only until an edge fits.
        func isFitting(_ index: EdgeIndex) -> Bool {
            let edge = graph.edges[index]
            return edge.presentation == own.presentation && edge.adopt(element.arguments) == element.arguments
        }
        let packedEdge = graph.packed[element.edge]
        let isInitial =
            graph.initials[packedEdge.parent].map { graph.packed[$0].child == packedEdge.child && isFitting($0) }
            ?? false
        let first = graph.alternatives[element.edge]
            .first { index in
                graph.packed[index].isLinkable && !(isInitial && graph.packed[index].isQuery) && isFitting(index)
            }
        return (first ?? element.edge, isInitial)
    }
}

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
    /// An exact host that is a segment has its own table: a stack that begins with this host is printed there. Origins of
    /// other schemes come last, if any scheme will do.
    func prefixes(preferring key: Int, ofAnyScheme: Bool) -> [LinkPrefix] {
        let isNear = { self.scheme(of: $0) == self.scheme(of: key) }
        let tables = originKeys.indices.filter { $0 != key && originKeys[$0].hasWholeHostSegments && isNear($0) }
        let others = others(than: key)
        let near = tables + (originKeys[key].isWildcard ? [] : [key]) + others.filter(isNear)
        return (near + (ofAnyScheme ? others.filter { !isNear($0) } : [])).map { LinkPrefix(origin: $0) }
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

    /// Returns the scheme of an origin.
    func scheme(of key: Int) -> ByteText { origins[originKeys[key].origin].scheme.bytewise }
}
