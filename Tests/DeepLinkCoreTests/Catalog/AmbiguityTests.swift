import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

/// A matcher as slow as it is simple, by which no accepted catalog leaves a choice open.
@Suite struct AmbiguityTests {
    /// Is one way to take segments from a node: through containers to an edge.
    private struct Way {
        let edges: [Int]
        let segments: [PathPattern.Segment]
    }

    private func ways(from opens: Range<Int>, in catalog: RouteCatalog, behind: [Int] = []) -> [Way] {
        opens.filter { catalog.edges[$0].isLinkable && catalog.edges[$0].queryKey == nil }
            .flatMap { index -> [Way] in
                let edge = catalog.edges[index]
                var patterns = edge.aliases
                if case .path(let pattern) = edge.address { patterns.insert(pattern, at: 0) }
                return patterns.flatMap(\.expansions)
                    .flatMap { segments -> [Way] in
                        let further = catalog.routes[edge.child].opens
                        let continues = further.contains {
                            catalog.edges[$0].isLinkable && catalog.edges[$0].queryKey == nil
                        }
                        guard segments.isEmpty, continues else {
                            return [Way(edges: behind + [index], segments: segments)]
                        }
                        return ways(from: further, in: catalog, behind: behind + [index])
                    }
            }
    }

    /// The specificity of each segment, if the whole text fits; smaller is narrower.
    private func ranks(_ way: Way, _ text: [String], in catalog: RouteCatalog) -> [Int]? {
        guard let edge = way.edges.last.map({ catalog.edges[$0] }) else { return nil }
        var ranks: [Int] = []
        var rest = text[...]
        for segment in way.segments {
            guard let first = rest.first else { return nil }
            if case .literal(let literal) = segment {
                guard literal.utf8.elementsEqual(first.utf8) else { return nil }
                ranks.append(0)
            } else {
                guard let type = edge.parameters.first(where: { $0.name == segment.parameterName })?.type.segmentType
                else { return nil }
                let taken = segment.isRest ? rest : rest.prefix(1)
                guard taken.allSatisfy({ type.value(of: $0) != nil }) else { return nil }
                ranks.append(segment.isRest ? 9 : rank(type))
                if segment.isRest { return ranks }
            }
            rest.removeFirst()
        }
        return rest.isEmpty ? ranks : nil
    }

    private func rank(_ type: ScalarType) -> Int {
        switch type {
        case .enumeration: 1
        case .int, .bool, .uuid, .date, .dateTime: 2
        case .double: 3
        case .string(_, _, let pattern): pattern == nil ? 5 : 4
        }
    }

    /// Whether two ways part at edges between the same two routes, whose order the catalog gives.
    private func areAlternatives(_ one: Way, _ other: Way, in catalog: RouteCatalog) -> Bool {
        guard let (left, right) = zip(one.edges, other.edges).first(where: { $0 != $1 }) else {
            return one.edges.count == other.edges.count
        }
        return catalog.edges[left].parent == catalog.edges[right].parent
            && catalog.edges[left].child == catalog.edges[right].child
    }

    @Test func `no text fits two siblings of equal specificity`() async {
        let texts = ["1", "0", "true", "a", "b", "7", "x-1", "é", "1.5", "zz", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
        var compared = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            let catalog = generated.catalog
            var generator = SeededGenerator(seed: generated.seed)
            for opens in catalog.routes.map(\.opens) + [catalog.entry] {
                let ways = ways(from: opens, in: catalog)
                guard ways.count > 1 else { continue }
                for count in [0, 1, 1, 1, 2, 2, 3] {
                    let text = (0..<count).map { _ in generator.pick(texts) }
                    let fitting = ways.compactMap { way in ranks(way, text, in: catalog).map { (way, $0) } }
                    for (index, (one, ranks)) in fitting.enumerated() {
                        for (other, otherRanks) in fitting[(index + 1)...] where ranks == otherRanks {
                            #expect(
                                areAlternatives(one, other, in: catalog),
                                "seed \(generated.seed): \(text) fits \(one.segments) and \(other.segments)"
                            )
                        }
                    }
                    compared += 1
                }
            }
        }
        #expect(compared > Effort.part(of: 10_000), "\(compared)")
    }
}
