import DeepLinkCore

/// Shapes by the literals with which they begin, for the search of shapes that may have links in common.
///
/// Two shapes have none if their segments differ before either has a value.
struct ShapeIndex {
    /// The shapes with a path, or without a fragment.
    private var withPath = ShapeTree()

    /// The shapes with nothing but a fragment, whose rules apply behind any path on Android.
    private var withoutPath = ShapeTree()

    /// Creates the index of some shapes.
    init(_ shapes: [PlacedShape]) {
        for shape in shapes {
            if shape.isBare {
                withoutPath.insert(shape, below: shape.fragmentLiterals)
            } else {
                withPath.insert(shape, below: shape.literals)
            }
        }
    }

    /// Returns whether a condition holds for one of the shapes that may have links in common with another.
    ///
    /// A shape without a path shares links only with others without a path, and with shapes whose path begins with a
    /// value.
    ///
    /// - Complexity: linear in the shapes that begin with the literals of `shape`, or with fewer of them, and in those
    ///   without a path if `shape` has no fragment.
    func contains(near shape: PlacedShape, where condition: (PlacedShape) -> Bool) -> Bool {
        let isBehindPath =
            shape.isBare
            ? withPath.withoutLiterals.contains(where: condition)
            : withPath.contains(near: shape.literals, where: condition)
        return isBehindPath || withoutPath.contains(near: shape.fragmentLiterals, where: condition)
    }
}

/// Shapes below the literals with which they begin.
private struct ShapeTree {
    private struct Node {
        var children: [ByteText: Int] = [:]
        var shapes: [PlacedShape] = []
    }

    private var nodes = [Node()]

    /// The shapes that begin with a value, or are empty.
    var withoutLiterals: [PlacedShape] { nodes[0].shapes }

    /// Adds a shape.
    mutating func insert(_ shape: PlacedShape, below literals: [ByteText]) {
        var node = 0
        for literal in literals {
            let next = nodes[node].children[literal] ?? nodes.count
            if next == nodes.count {
                nodes.append(Node())
                nodes[node].children[literal] = next
            }
            node = next
        }
        nodes[node].shapes.append(shape)
    }

    /// Returns whether a condition holds for one of the shapes on the way along some literals, or below their end.
    func contains(near literals: [ByteText], where condition: (PlacedShape) -> Bool) -> Bool {
        var node = 0
        for literal in literals {
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
    /// Whether the shape has a fragment, and no path before it.
    fileprivate var isBare: Bool { fragment != nil && path.segments.isEmpty && !path.continues }

    /// The literals before the first value.
    fileprivate var literals: [ByteText] { Self.literals(path.segments + wholeFragmentSegments) }

    /// The literals before the first value of the fragment.
    fileprivate var fragmentLiterals: [ByteText] { Self.literals(wholeFragmentSegments) }

    /// The segments of the fragment without the last one, which may be the beginning of a longer one.
    private var wholeFragmentSegments: [LinkShape.Segment] { fragment?.segments.dropLast() ?? [] }

    private static func literals(_ segments: [LinkShape.Segment]) -> [ByteText] {
        var literals: [ByteText] = []
        for segment in segments {
            guard case .literal(let text) = segment else { break }
            literals.append(text.bytewise)
        }
        return literals
    }
}
