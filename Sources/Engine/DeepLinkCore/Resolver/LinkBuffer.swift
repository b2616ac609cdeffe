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
