/// The segments of one expansion as far as links can tell them from those of another.
///
/// Two expansions of which these are equal share a pattern: whatever the parameters are called, they are equally
/// specific.
struct Segments: Hashable {
    private enum Segment: Hashable {
        case literal([UInt8])
        case parameter(Specificity)
        case rest
    }

    private let segments: [Segment]

    init(_ edge: Edge, _ expansion: Int) {
        segments = edge.expansions[expansion].parts
            .map { part in
                switch part {
                case .literal(let text): .literal(Array(text.utf8))
                case .parameter(let index):
                    edge.parameters[index].type.segmentType.map { .parameter(Specificity($0)) } ?? .rest
                case .rest: .rest
                }
            }
    }
}
