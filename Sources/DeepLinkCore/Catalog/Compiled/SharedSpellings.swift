/// The spellings of lists of edges whose segments no link tells apart.
///
/// Equal segments are looked up by a number, so that choosing among the edges of a list costs what the list has.
struct SharedSpellings: Sendable {
    private struct Place: Hashable {
        let edge: Int
        let spelling: Int
    }

    private var groups: [[Place]] = []
    private var numbers: [Place: Int] = [:]

    /// Groups the spellings of the edges of each list that links can take.
    init(_ edges: [Edge], lists: [[Int]]) {
        for list in lists {
            var known: [Segments: Int] = [:]
            for index in list where edges[index].isLinkable {
                for spelling in edges[index].spellings.indices {
                    let segments = Segments(edges[index], spelling)
                    let number = known[segments] ?? groups.count
                    if number == groups.count { groups.append([]) }
                    known[segments] = number
                    let place = Place(edge: index, spelling: spelling)
                    numbers[place] = number
                    // Of an edge, the first spelling is tried.
                    if groups[number].last?.edge != index { groups[number].append(place) }
                }
            }
        }
    }

    /// The spellings that share their segments with one, itself among them.
    func all(like spelling: Int, of edge: Int) -> [(edge: Int, spelling: Int)] {
        guard let number = numbers[Place(edge: edge, spelling: spelling)] else { return [(edge, spelling)] }
        return groups[number].map { ($0.edge, $0.spelling) }
    }
}
