import DeepLinkCore

/// Shapes by the literals with which they begin, for the search of shapes that may have links in common.
///
/// Two shapes have none if their segments differ before either has a value.
struct ShapeIndex {
    private struct Node {
        var children: [ByteText: Int] = [:]
        var shapes: [PlacedShape] = []
    }

    private var nodes = [Node()]

    /// Creates the index of some shapes.
    init(_ shapes: [PlacedShape]) {
        for shape in shapes {
            var node = 0
            for literal in shape.leadingLiterals {
                let next = nodes[node].children[literal] ?? nodes.count
                if next == nodes.count {
                    nodes.append(Node())
                    nodes[node].children[literal] = next
                }
                node = next
            }
            nodes[node].shapes.append(shape)
        }
    }

    /// Returns whether a condition holds for one of the shapes that may have links in common with another.
    ///
    /// - Complexity: linear in the shapes that begin with the literals of `shape`, or with fewer of them.
    func contains(near shape: PlacedShape, where condition: (PlacedShape) -> Bool) -> Bool {
        var node = 0
        for literal in shape.leadingLiterals {
            if nodes[node].shapes.contains(where: condition) { return true }
            guard let next = nodes[node].children[literal] else { return false }
            node = next
        }
        var below = [node]
        while let node = below.popLast() {
            if nodes[node].shapes.contains(where: condition) { return true }
            below += nodes[node].children.values
        }
        return false
    }
}

extension PlacedShape {
    /// The literals before the first value.
    ///
    /// A shape with a part in the fragment has none, because a segment there may be the beginning of a longer one.
    fileprivate var leadingLiterals: [ByteText] {
        guard fragment == nil else { return [] }
        var literals: [ByteText] = []
        for segment in path.segments {
            guard case .literal(let text) = segment else { break }
            literals.append(text.bytewise)
        }
        return literals
    }
}
