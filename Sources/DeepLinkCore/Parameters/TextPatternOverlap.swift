/// A search for a text that fits two patterns, which walks both automata side by side.
struct TextPatternOverlap {
    /// A position in a pattern: the number of characters that the element at `index` has consumed.
    private struct Place: Hashable {
        var index: Int
        var taken: Int
    }

    private struct Pair: Hashable {
        var left: Place
        var right: Place
    }

    private let left: [TextPattern.Element]
    private let right: [TextPattern.Element]
    private var seen: Set<Pair> = []
    private var todo: [Pair] = []

    private init(_ left: [TextPattern.Element], _ right: [TextPattern.Element]) {
        self.left = left
        self.right = right
    }

    /// Returns whether some text fits both patterns; `nil` if the budget of pairs to examine runs out first.
    ///
    /// - Complexity: at most the product of the patterns' lengths, which the budget bounds.
    static func exists(_ left: TextPattern, _ right: TextPattern, budget: inout Int) -> Bool? {
        exists(left.elements, right.elements, budget: &budget)
    }

    /// Returns whether some text fits two sequences of classes; `nil` if the budget runs out first.
    static func exists(
        _ left: [TextPattern.Element],
        _ right: [TextPattern.Element],
        budget: inout Int
    ) -> Bool? {
        var search = TextPatternOverlap(left, right)
        let answer = search.run(within: budget)
        budget -= search.seen.count
        return answer
    }

    private mutating func run(within budget: Int) -> Bool? {
        visit(Pair(left: Place(index: 0, taken: 0), right: Place(index: 0, taken: 0)))
        while let pair = todo.popLast() {
            if pair.left.index == left.count, pair.right.index == right.count { return true }
            guard seen.count <= budget else { return nil }
            if let next = skip(pair.left, in: left) { visit(Pair(left: next, right: pair.right)) }
            if let next = skip(pair.right, in: right) { visit(Pair(left: pair.left, right: next)) }
            guard let nextLeft = take(pair.left, in: left), let nextRight = take(pair.right, in: right),
                left[pair.left.index].characters.intersects(right[pair.right.index].characters)
            else { continue }
            visit(Pair(left: nextLeft, right: nextRight))
        }
        return false
    }

    private mutating func visit(_ pair: Pair) {
        if seen.insert(pair).inserted { todo.append(pair) }
    }

    /// Returns the position after an element that has consumed enough.
    private func skip(_ place: Place, in elements: [TextPattern.Element]) -> Place? {
        guard place.index < elements.count, place.taken >= elements[place.index].minimum else { return nil }
        return Place(index: place.index + 1, taken: 0)
    }

    /// Consumes one more character; beyond the minimum of an unbounded element the count no longer matters.
    private func take(_ place: Place, in elements: [TextPattern.Element]) -> Place? {
        guard place.index < elements.count, place.taken < elements[place.index].maximum else { return nil }
        let element = elements[place.index]
        let isPastCounting = element.maximum == .max && place.taken >= element.minimum
        return Place(index: place.index, taken: isPastCounting ? place.taken : place.taken + 1)
    }
}
