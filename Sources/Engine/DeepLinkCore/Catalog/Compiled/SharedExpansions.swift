/// The expansions, in lists of edges, with segments that no link can distinguish.
///
/// Equal segments share a number, so that choosing among the edges of a list is linear in the list.
struct SharedExpansions: Sendable {
    private struct Place: Hashable {
        let edge: EdgeIndex
        let expansion: Int
    }

    private var groups: [[Place]] = []
    private var numbers: [Place: Int] = [:]

    /// Groups the expansions of each list's edges that links can take.
    init(_ edges: [Edge], lists: [[EdgeIndex]]) {
        for list in lists {
            var known: [Segments: Int] = [:]
            for index in list where edges[index].isLinkable {
                for expansion in edges[index].expansions.indices {
                    let segments = Segments(edges[index], expansion: expansion)
                    let number = known[segments] ?? groups.count
                    if number == groups.count { groups.append([]) }
                    known[segments] = number
                    let place = Place(edge: index, expansion: expansion)
                    numbers[place] = number
                    // Only the first expansion of an edge is tried.
                    if groups[number].last?.edge != index { groups[number].append(place) }
                }
            }
        }
    }

    /// Returns the expansions with the same segments as the given one, including itself.
    func all(like expansion: Int, of edge: EdgeIndex) -> [(edge: EdgeIndex, expansion: Int)] {
        guard let number = numbers[Place(edge: edge, expansion: expansion)] else { return [(edge, expansion)] }
        return groups[number].map { ($0.edge, $0.expansion) }
    }
}

/// The segments of one expansion, as far as links can distinguish them from other segments.
///
/// Two expansions with equal segments share a pattern: without regard to the parameters' names, they are equally
/// specific.
struct Segments: Hashable {
    private enum Segment: Hashable {
        case literal([UInt8])
        case parameter(Specificity)
        case rest
        case compound(CompoundSegment.Signature)
    }

    private let segments: [Segment]

    init(_ edge: Edge, expansion: Int) {
        segments = edge.expansions[expansion].parts
            .map { part in
                switch part {
                case .literal(let text): .literal(Array(text.utf8))
                case .parameter(let index):
                    edge.parameters[index].type.segmentType.map { .parameter(Specificity($0)) } ?? .rest
                case .rest, .wildcardRest: .rest
                case .wildcard: .parameter(.text)
                case .compound(let segment): .compound(segment.signature)
                }
            }
    }
}
