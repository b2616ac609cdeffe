/// The pairs of the items of two lists, the most alike first.
enum LikenessPairing {
    /// Pairs the items of two lists by each likeness in turn; those that are equally alike, in their order.
    ///
    /// - Parameters:
    ///   - list: the items of one list.
    ///   - others: the items of the other.
    ///   - likenesses: the properties by which two items are alike, the strictest first.
    /// - Returns: the indices of the items of each pair.
    /// - Complexity: linear in the items.
    static func pairs<Item, Likeness: Hashable>(
        of list: [Item],
        and others: [Item],
        by likenesses: [(Item) -> Likeness]
    ) -> [(index: Int, other: Int)] {
        var pairs: [(index: Int, other: Int)] = []
        var (left, free) = (Array(list.indices), Array(others.indices))
        for likeness in likenesses {
            // The unpaired items of each likeness, in reverse order.
            var alike: [Likeness: [Int]] = [:]
            for other in free.reversed() { alike[likeness(others[other]), default: []].append(other) }
            var paired: Set<Int> = []
            left.removeAll { index in
                guard let other = alike[likeness(list[index])]?.popLast() else { return false }
                pairs.append((index, other))
                paired.insert(other)
                return true
            }
            free.removeAll(where: paired.contains)
            guard !left.isEmpty, !free.isEmpty else { break }
        }
        return pairs
    }
}
