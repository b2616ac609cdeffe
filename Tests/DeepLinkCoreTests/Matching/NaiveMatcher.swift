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
        case compound(CompoundSegment.Signature)

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

    /// The edges of the most specific way; `nil` if there is none.
    func match(_ texts: [String]) -> [Int]? {
        let ways = ways(from: catalog.graph.entryNode, texts[...])
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
        case .compound(let segment): .compound(segment.signature)
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
            case .literal(let bytes): guard text.utf8.elementsEqual(bytes) else { return nil }
            case .compound(let signature): guard fits(Array(text.utf8)[...], signature[...]) else { return nil }
            case .one(let type): guard type.value(of: text) != nil else { return nil }
            case .rest(let type):
                let rest = texts.dropFirst(piece.kinds.count - 1)
                guard type.accepts(count: rest.count), rest.allSatisfy({ type.segmentType?.value(of: $0) != nil })
                else { return nil }
                return texts.count
            }
        }
        return piece.kinds.count
    }

    /// Returns whether a text is taken apart, each parameter as short as the literals allow.
    private func fits(_ text: ArraySlice<UInt8>, _ pieces: ArraySlice<CompoundSegment.SignaturePiece>) -> Bool {
        guard let parts = parts(text, pieces) else { return false }
        return parts.allSatisfy { type, text in type.value(of: String(decoding: text, as: UTF8.self)) != nil }
    }

    private func parts(
        _ text: ArraySlice<UInt8>,
        _ pieces: ArraySlice<CompoundSegment.SignaturePiece>
    ) -> [(ScalarType, ArraySlice<UInt8>)]? {
        switch pieces.first {
        case nil: return text.isEmpty ? [] : nil
        case .literal(let bytes)?:
            return text.starts(with: bytes) ? parts(text.dropFirst(bytes.count), pieces.dropFirst()) : nil
        case .parameter(let type)?:
            for count in text.indices.map({ $0 - text.startIndex + 1 }) {
                if let others = parts(text.dropFirst(count), pieces.dropFirst()) {
                    return [(type, text.prefix(count))] + others
                }
            }
            return nil
        }
    }

    // MARK: Comparing

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
