@testable import DeepLinkCore

/// A matcher as slow as it is simple: it lists every way through a catalog that a path can be read, and compares them.
struct NaiveMatcher {
    /// The segments of one expansion, with the containers passed through before it.
    private struct Piece: Equatable {
        let edges: [EdgeIndex]
        let expansion: Int
        let kinds: [Kind]
    }

    private enum Kind: Equatable {
        case literal([UInt8])
        case one(ScalarType)
        case rest(ParameterType)
        case compound(CompoundSegment)

        static func == (left: Kind, right: Kind) -> Bool {
            switch (left, right) {
            case (.literal(let one), .literal(let other)): one == other
            case (.one(let one), .one(let other)): one == other
            case (.rest(let one), .rest(let other)): one == other
            case (.compound(let one), .compound(let other)): one.signature == other.signature
            default: false
            }
        }

        var rank: Int {
            switch self {
            case .literal: 0
            case .compound: 1
            case .rest: 7
            case .one(.enumeration): 2
            case .one(.int), .one(.bool), .one(.uuid), .one(.date), .one(.dateTime): 3
            case .one(.double): 4
            case .one(.string(_, _, let pattern)): pattern == nil ? 6 : 5
            }
        }
    }

    private let catalog: RouteCatalog

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// The edges of the most specific way through segments as they are sent; `nil` if there is none.
    func match(_ texts: [String]) -> [Int]? {
        let ways = withoutWider(ways(from: catalog.graph.entryNode, texts[...]))
        let best = ways.min { key($0, among: ways).lexicographicallyPrecedes(key($1, among: ways)) }
        guard let best else { return nil }
        let node = best.last?.edges.last.map { catalog.edges[$0].child } ?? catalog.graph.entryNode
        return (best.flatMap(\.edges) + (end(at: node) ?? [])).map(\.number)
    }

    /// The number of readings of a path.
    func wayCount(_ texts: [String]) -> Int { ways(from: catalog.graph.entryNode, texts[...]).count }

    // MARK: All ways

    private func ways(from node: Int, _ texts: ArraySlice<String>) -> [[Piece]] {
        guard !texts.isEmpty else { return node == catalog.graph.entryNode && end(at: node) == nil ? [] : [[]] }
        return pieces(from: node, behind: [])
            .flatMap { piece -> [[Piece]] in
                guard !piece.kinds.isEmpty, let count = taken(by: piece, texts) else { return [] }
                let child = catalog.edges[piece.edges[piece.edges.count - 1]].child
                return ways(from: child, texts.dropFirst(count)).map { [piece] + $0 }
            }
    }

    private func pieces(from node: Int, behind containers: [EdgeIndex]) -> [Piece] {
        catalog.graph.opens(node).filter { catalog.edges[$0].isLinkable }
            .flatMap { index -> [Piece] in
                let edge = catalog.edges[index]
                return edge.expansions.indices.flatMap { number -> [Piece] in
                    let parts = edge.expansions[number].parts
                    if parts.isEmpty, catalog.graph.continues[edge.child] {
                        let before = catalog.graph.alternatives[index].prefix { $0 != index }
                        guard !before.contains(where: { catalog.edges[$0].canTakeNoSegment }) else { return [] }
                        return pieces(from: edge.child, behind: containers + [index])
                    }
                    return [Piece(edges: containers + [index], expansion: number, kinds: parts.map { kind($0, edge) })]
                }
            }
    }

    private func kind(_ part: PathExpansion.Part, _ edge: Edge) -> Kind {
        switch part {
        case .literal(let text): .literal(Array(text.utf8))
        case .parameter(let index): edge.parameters[index].type.segmentType.map { .one($0) } ?? .literal([])
        case .rest(let index): .rest(edge.parameters[index].type)
        case .wildcard: .one(.string(min: nil, max: nil, pattern: nil))
        case .wildcardRest: .rest(.list(of: .string(min: nil, max: nil, pattern: nil), min: nil, max: nil))
        case .compound(let segment): .compound(segment)
        }
    }

    /// The edges of a child that takes no segment and opens nothing, or of `entry`'s initial one.
    private func end(at node: Int) -> [EdgeIndex]? {
        let initial = node == catalog.graph.entryNode ? catalog.graph.initials[node].map { [$0] } : nil
        return pieces(from: node, behind: []).first { $0.kinds.isEmpty }?.edges ?? initial
    }

    private func taken(by piece: Piece, _ texts: ArraySlice<String>) -> Int? {
        guard piece.kinds.count <= texts.count else { return nil }
        for (kind, text) in zip(piece.kinds, texts) {
            switch kind {
            case .literal(let bytes): guard decoded(text).utf8.elementsEqual(bytes) else { return nil }
            case .compound(let segment): guard !NaiveSplit(segment.signature).all(text).isEmpty else { return nil }
            case .one(let type): guard type.value(of: decoded(text)) != nil else { return nil }
            case .rest(let type):
                let rest = texts.dropFirst(piece.kinds.count - 1)
                guard type.accepts(count: rest.count),
                    rest.allSatisfy({ type.segmentType?.value(of: decoded($0)) != nil })
                else { return nil }
                return texts.count
            }
        }
        return piece.kinds.count
    }

    private func decoded(_ text: String) -> String { PercentEncoding.decode(Array(text.utf8)[...]) }

    // MARK: Comparing

    /// Drops the ways that read a segment by a compound one which is less specific than that of another way, as specific
    /// up to there.
    private func withoutWider(_ ways: [[Piece]]) -> [[Piece]] {
        var (left, place) = (ways, 0)
        while true {
            let ranked = left.map { (way: $0, ranks: key($0, among: ways).prefix { $0 >= 0 }) }
            guard let least = ranked.compactMap({ $0.ranks.dropFirst(place).first }).min() else { return left }
            let best = ranked.filter { $0.ranks.dropFirst(place).first == least }.map(\.way)
            let segments = best.map { compound(of: $0, at: place, among: ways) }
            left = best.indices
                .filter { index in
                    !segments.contains { other in
                        var budget = 1_000_000
                        guard let own = segments[index], let other else { return false }
                        return TypeOverlap.isNarrower(other, than: own, budget: &budget)
                    }
                }
                .map { best[$0] }
            place += 1
        }
    }

    /// The compound segment that reads a segment of a path, if it ranks as one.
    private func compound(of way: [Piece], at place: Int, among ways: [[Piece]]) -> CompoundSegment? {
        var place = place
        for (number, piece) in way.enumerated() {
            guard place >= piece.kinds.count else {
                guard case .compound(let segment) = piece.kinds[place] else { return nil }
                return ways.contains { precedes($0, way, number, place) } ? nil : segment
            }
            place -= piece.kinds.count
        }
        return nil
    }

    /// The order of readings: the ranks of all segments, then the ends of patterns, then the waiting ones, then the lists.
    private func key(_ way: [Piece], among ways: [[Piece]]) -> [Int] {
        var ranks: [Int] = []
        var ends: [Int] = []
        var waits: [Int] = []
        var lists: [Int] = []
        for (number, piece) in way.enumerated() {
            for index in piece.kinds.indices {
                let awaited = ways.filter { precedes($0, way, number, index) }.map { $0[number].kinds[index].rank }
                    .max()
                let rank = piece.kinds[index].rank
                ranks.append(awaited ?? rank)
                ends.append(index == piece.kinds.count - 1 ? 1 : 0)
                waits.append(awaited == nil ? 0 : 1 + firstExpansion(piece, index) * 8 + rank)
            }
            lists += piece.edges.map(\.number) + [-1, piece.expansion]
        }
        return ranks + [-1] + ends + waits + lists
    }

    /// Whether another way reads a segment by a parameter that comes before this one's in one pattern.
    private func precedes(_ other: [Piece], _ way: [Piece], _ number: Int, _ index: Int) -> Bool {
        guard other.count > number, other[..<number] == way[..<number] else { return false }
        let (one, two) = (other[number], way[number])
        guard one.edges == two.edges, one.kinds.count > index, one.kinds[..<index] == two.kinds[..<index],
            one.kinds[index].rank >= max(two.kinds[index].rank, 1), two.kinds[index].rank > 0,
            let edge = two.edges.last.map({ catalog.edges[$0] })
        else { return false }
        let (first, second) = (firstExpansion(one, index), firstExpansion(two, index))
        return first < second && edge.expansions[first].pattern == edge.expansions[second].pattern
    }

    /// The first expansion of an edge that begins as another one does, up to a segment.
    private func firstExpansion(_ piece: Piece, _ index: Int) -> Int {
        guard let edge = piece.edges.last.map({ catalog.edges[$0] }) else { return piece.expansion }
        return edge.expansions.firstIndex { expansion in
            let kinds = expansion.parts.map { kind($0, edge) }
            return kinds.count > index && kinds[...index] == piece.kinds[...index]
        } ?? piece.expansion
    }
}

/// A split of compound segments that tries every place for every literal.
struct NaiveSplit {
    private let pieces: [CompoundSegment.SignaturePiece]

    init(_ signature: CompoundSegment.Signature) {
        pieces = signature
    }

    /// All splits of a segment as it is sent that fit, the one that counts first.
    func all(_ text: String) -> [[String]] {
        let decoded = Array(PercentEncoding.decode(Array(text.utf8)[...]).utf8)
        var (start, end, inner) = (0, decoded.count, pieces[...])
        if case .literal(let prefix)? = inner.first {
            guard decoded.starts(with: prefix) else { return [] }
            (start, inner) = (prefix.count, inner.dropFirst())
        }
        if case .literal(let suffix)? = inner.last {
            guard decoded.count >= start + suffix.count, decoded.suffix(suffix.count).elementsEqual(suffix) else {
                return []
            }
            (end, inner) = (end - suffix.count, inner.dropLast())
        }
        var places: [[UInt8]: [Int]] = [:]
        let literals = inner.compactMap { if case .literal(let literal) = $0 { literal } else { nil } }
        for literal in Set(literals) {
            let all = (start + 1..<max(start + 1, end))
                .filter { place in
                    place + literal.count < end && decoded[place..<place + literal.count].elementsEqual(literal)
                }
            let raw = all.filter { isRaw(text, $0..<$0 + literal.count) }
            places[literal] = raw.count < literals.count { $0 == literal } ? all : raw
        }
        return splits(decoded, from: start, to: end, inner, places)
            .map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    private func splits(
        _ text: [UInt8],
        from start: Int,
        to end: Int,
        _ pieces: ArraySlice<CompoundSegment.SignaturePiece>,
        _ places: [[UInt8]: [Int]]
    ) -> [[ArraySlice<UInt8>]] {
        guard case .parameter(let type)? = pieces.first, start < end else { return [] }
        func fits(_ part: ArraySlice<UInt8>) -> Bool { type.value(of: String(decoding: part, as: UTF8.self)) != nil }
        let behind = pieces.dropFirst()
        guard case .literal(let literal)? = behind.first else {
            return fits(text[start..<end]) ? [[text[start..<end]]] : []
        }
        let isGreedy = behind.contains { piece in
            if case .parameter(let type) = piece { type.name != "string" } else { false }
        }
        let candidates = (places[literal] ?? []).filter { $0 > start }
        return (isGreedy ? candidates.reversed() : candidates).filter { fits(text[start..<$0]) }
            .flatMap { place in
                splits(text, from: place + literal.count, to: end, behind.dropFirst(), places)
                    .map { [text[start..<place]] + $0 }
            }
    }

    /// Whether no byte of a range of the decoded text is sent encoded.
    private func isRaw(_ text: String, _ range: Range<Int>) -> Bool {
        var (index, raw) = (0, Array(text.utf8)[...])
        while let byte = raw.first, index < range.upperBound {
            if byte == UInt8(ascii: "%"), index >= range.lowerBound { return false }
            raw = raw.dropFirst(byte == UInt8(ascii: "%") ? 3 : 1)
            index += 1
        }
        return true
    }
}
