/// A link under construction: as long as it is equal to a known link, nothing is copied.
///
/// Most links that are resolved are canonical already, so their canonical link is the link itself.
struct LinkBuffer {
    /// The printed bytes, from the first difference to the known link on; before that, the beginning of that link.
    private var bytes: [UInt8]

    /// The number of bytes equal to the known link so far; `nil` after a difference, and without a known link.
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

    /// The whole text; the bytes of the known link if it is that link.
    var finished: [UInt8] { equalCount.map { $0 == bytes.count ? bytes : Array(bytes[..<$0]) } ?? bytes }
}

/// The beginning of a printed link, before its routes: the origin, and the link whose scheme and host are kept.
struct LinkPrefix {
    /// The index in ``RouteCatalog/originKeys``.
    let origin: Int

    /// The link of that origin; without one, the scheme and the first host are the origin's own.
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
    /// - Returns: Whether the origin has such a path; if the host of web links is a segment, the first segment must be
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

/// The edge by which each destination of a stack is printed, and the destinations that a link leaves out.
struct PrintPlan {
    /// The edges that differ from those of the stack, by index.
    private var others: [Int: EdgeIndex] = [:]

    /// The indices of the destinations that are not printed.
    private var hidden: Set<Int> = []

    /// Plans from the top down: an initial child is printed only if it is on top or opens the next printed destination;
    /// one that only opens an unprinted destination is left out too.
    init(_ stack: [StackElement], in graph: CatalogGraph) {
        var parentOfNext: Int?
        for index in stack.indices.reversed() {
            var edge = stack[index].edge
            var isInitial = graph.packed[edge].isInitial
            if !graph.packed[edge].isAlone {
                (edge, isInitial) = Self.alternative(to: stack[index], in: graph)
                others[index] = edge
            }
            let facts = graph.packed[edge]
            // A route that a key opens over its parent is there without the key.
            if isInitial, facts.isQuery || (parentOfNext.map { $0 != facts.child } ?? !facts.isLinkable) {
                hidden.insert(index)
            } else {
                parentOfNext = facts.parent
            }
        }
    }

    /// Returns the edge by which the destination at an index is printed.
    func edge(of element: StackElement, at index: Int) -> EdgeIndex {
        others.isEmpty ? element.edge : others[index] ?? element.edge
    }

    /// Returns whether the destination at an index is printed.
    func isPrinted(_ index: Int) -> Bool { hidden.isEmpty || !hidden.contains(index) }

    /// Returns the edge by which a destination is printed, and whether a link that leaves it out means the same.
    ///
    /// Of the edges between the same two routes with the same presentation, the first whose parameters fit is printed;
    /// if the initial one is among them, the destination is shown without being named.
    private static func alternative(
        to element: StackElement,
        in graph: CatalogGraph
    ) -> (edge: EdgeIndex, isInitial: Bool) {
        let own = graph.edges[element.edge]
        // A list may be long: parameters are compared only until an edge fits.
        func isFitting(_ index: EdgeIndex) -> Bool {
            let edge = graph.edges[index]
            return edge.presentation == own.presentation && edge.adopt(element.arguments) == element.arguments
        }
        let facts = graph.packed[element.edge]
        let isInitial =
            graph.initials[facts.parent].map { graph.packed[$0].child == facts.child && isFitting($0) } ?? false
        let first = graph.alternatives[element.edge]
            .first { index in
                graph.packed[index].isLinkable && !(isInitial && graph.packed[index].isQuery) && isFitting(index)
            }
        return (first ?? element.edge, isInitial)
    }
}
