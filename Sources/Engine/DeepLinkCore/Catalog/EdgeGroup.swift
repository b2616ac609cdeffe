/// The edges that a catalog declares once for several routes.
package struct EdgeGroup: Sendable {
    /// The name of the group, unique in its catalog.
    package let name: String

    /// The group's edges in the first route that has them, as indexes into ``RouteCatalog/edges``.
    package fileprivate(set) var edges: [Int]
}

extension RouteCatalog {
    /// The part of a group that declares an edge: the edges to one route, counted from 0.
    private struct Declaration: Hashable {
        let group: ByteText
        let child: Int
        var number: Int
    }

    /// The groups with edges that some route has, in the order of their first edges.
    ///
    /// - Complexity: linear in the edges.
    package var groups: [EdgeGroup] {
        var groups: [EdgeGroup] = []
        var places: [ByteText: Int] = [:]
        for (index, first) in firstEdges.enumerated() where index == first {
            guard let name = edges[index].group else { continue }
            if let place = places[name.bytewise] {
                groups[place].edges.append(index)
            } else {
                places[name.bytewise] = groups.count
                groups.append(EdgeGroup(name: name, edges: [index]))
            }
        }
        return groups
    }

    /// The edges without the repetitions of groups: of each group, only the edges of the first route that has them.
    ///
    /// - Complexity: linear in the edges.
    package var declaredEdges: [Edge] {
        zip(edges.indices, firstEdges).filter { $0 == $1 }.map { edges[$0.0] }
    }

    /// For each edge, the first edge with the same declaration: another one only for an edge of a group that an earlier
    /// route has too.
    ///
    /// - Complexity: linear in the edges.
    package var firstEdges: [Int] {
        var known: [Declaration: Int] = [:]
        var counts: [Declaration: (parent: Int, count: Int)] = [:]
        return edges.enumerated()
            .map { index, edge in
                guard let group = edge.group else { return index }
                var declaration = Declaration(group: group.bytewise, child: edge.child, number: 0)
                let list = declaration
                if let count = counts[list], count.parent == edge.parent { declaration.number = count.count }
                counts[list] = (edge.parent, declaration.number + 1)
                if let first = known[declaration] { return first }
                known[declaration] = index
                return index
            }
    }
}
