/// The expansions of lists of edges whose segments no link tells apart.
///
/// Equal segments are looked up by a number, so that choosing among the edges of a list costs what the list has.
struct SharedExpansions: Sendable {
    private struct Place: Hashable {
        let edge: EdgeIndex
        let expansion: Int
    }

    private var groups: [[Place]] = []
    private var numbers: [Place: Int] = [:]

    /// Groups the expansions of the edges of each list that links can take.
    init(_ edges: [Edge], lists: [[EdgeIndex]]) {
        for list in lists {
            var known: [Segments: Int] = [:]
            for index in list where edges[index].isLinkable {
                for expansion in edges[index].expansions.indices {
                    let segments = Segments(edges[index], expansion)
                    let number = known[segments] ?? groups.count
                    if number == groups.count { groups.append([]) }
                    known[segments] = number
                    let place = Place(edge: index, expansion: expansion)
                    numbers[place] = number
                    // Of an edge, the first expansion is tried.
                    if groups[number].last?.edge != index { groups[number].append(place) }
                }
            }
        }
    }

    /// The expansions that share their segments with one, itself among them.
    func all(like expansion: Int, of edge: EdgeIndex) -> [(edge: EdgeIndex, expansion: Int)] {
        guard let number = numbers[Place(edge: edge, expansion: expansion)] else { return [(edge, expansion)] }
        return groups[number].map { ($0.edge, $0.expansion) }
    }
}

/// The segments of one expansion as far as links can tell them from those of another.
///
/// Two expansions of which these are equal share a pattern: whatever the parameters are called, they are equally
/// specific.
struct Segments: Hashable {
    private enum Segment: Hashable {
        case literal([UInt8])
        case parameter(Specificity)
        case rest
        case compound(CompoundSegment.Signature)
    }

    private let segments: [Segment]

    init(_ edge: Edge, _ expansion: Int) {
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
