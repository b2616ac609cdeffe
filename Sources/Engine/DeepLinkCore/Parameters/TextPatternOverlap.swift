/// A search for a text that fits two patterns, which walks both automata side by side.
struct TextPatternOverlap {
    /// A position in a pattern: the number of characters that the element at `index` has consumed.
    fileprivate struct Place: Hashable {
        var index: Int
        var taken: Int

        /// The position in front of a pattern.
        static let start = Place(index: 0, taken: 0)

        /// Returns the position after an element that has consumed enough.
        func skipping(_ elements: [TextPattern.Element]) -> Place? {
            guard index < elements.count, taken >= elements[index].minimum else { return nil }
            return Place(index: index + 1, taken: 0)
        }

        /// Returns the position after one more character, which is counted up to the minimum of an unbounded element.
        func taking(_ elements: [TextPattern.Element]) -> Place? {
            guard index < elements.count, taken < elements[index].maximum else { return nil }
            let isPastCounting = elements[index].maximum == .max && taken >= elements[index].minimum
            return Place(index: index, taken: isPastCounting ? taken : taken + 1)
        }
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

    /// Returns whether some text fits both patterns, or `nil` if the budget of pairs to examine runs out first.
    ///
    /// - Complexity: at most the product of the patterns' lengths, which the budget bounds.
    static func exists(_ left: TextPattern, _ right: TextPattern, budget: inout Int) -> Bool? {
        exists(left.elements, right.elements, budget: &budget)
    }

    /// Returns whether some text fits two sequences of classes, or `nil` if the budget runs out first.
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
        visit(Pair(left: .start, right: .start))
        while let pair = todo.popLast() {
            if pair.left.index == left.count, pair.right.index == right.count { return true }
            guard seen.count <= budget else { return nil }
            if let next = pair.left.skipping(left) { visit(Pair(left: next, right: pair.right)) }
            if let next = pair.right.skipping(right) { visit(Pair(left: pair.left, right: next)) }
            guard let nextLeft = pair.left.taking(left), let nextRight = pair.right.taking(right),
                left[pair.left.index].characters.intersects(right[pair.right.index].characters)
            else { continue }
            visit(Pair(left: nextLeft, right: nextRight))
        }
        return false
    }

    private mutating func visit(_ pair: Pair) {
        if seen.insert(pair).inserted { todo.append(pair) }
    }
}

/// A search for a text that fits one pattern and not another: places in the one beside sets of places in the other.
struct TextPatternInclusion {
    private typealias Place = TextPatternOverlap.Place

    private struct Pair: Hashable {
        let narrow: Place
        let wide: Set<Place>
    }

    private let narrow: [TextPattern.Element]
    private let wide: [TextPattern.Element]
    private var seen: Set<Pair> = []
    private var todo: [Pair] = []

    /// Returns whether every text that fits one sequence of classes fits the other one, or `nil` if the budget runs
    /// out.
    ///
    /// - Complexity: the budget bounds the places that are compared.
    static func holds(
        _ narrow: [TextPattern.Element],
        in wide: [TextPattern.Element],
        budget: inout Int
    ) -> Bool? {
        var search = TextPatternInclusion(narrow: narrow, wide: wide)
        return search.run(&budget)
    }

    private init(narrow: [TextPattern.Element], wide: [TextPattern.Element]) {
        self.narrow = narrow
        self.wide = wide
    }

    private mutating func run(_ budget: inout Int) -> Bool? {
        visit(Pair(narrow: .start, wide: closed([.start])))
        while let pair = todo.popLast() {
            if pair.narrow.index == narrow.count, !pair.wide.contains(Place(index: wide.count, taken: 0)) {
                return false
            }
            if let next = pair.narrow.skipping(narrow) { visit(Pair(narrow: next, wide: pair.wide)) }
            guard let next = pair.narrow.taking(narrow) else { continue }
            for scalar in representatives(of: narrow[pair.narrow.index].characters, beside: pair.wide) {
                budget -= 1 + pair.wide.count
                guard budget >= 0 else { return nil }
                let reached = pair.wide.filter { place in
                    place.index < wide.count && wide[place.index].characters.contains(scalar)
                }
                visit(Pair(narrow: next, wide: closed(Set(reached.compactMap { $0.taking(wide) }))))
            }
        }
        return true
    }

    private mutating func visit(_ pair: Pair) {
        if seen.insert(pair).inserted { todo.append(pair) }
    }

    /// Adds the places that are reached without a character.
    private func closed(_ places: Set<Place>) -> Set<Place> {
        var closed = places
        var todo = Array(places)
        while let place = todo.popLast() {
            if let next = place.skipping(wide), closed.insert(next).inserted { todo.append(next) }
        }
        return closed
    }

    /// Returns one character of a class for each set of other classes that have it.
    private func representatives(of characters: CharacterClass, beside places: Set<Place>) -> Set<UInt32> {
        let edges = places.filter { $0.index < wide.count }.flatMap { wide[$0.index].characters.ranges }
            .flatMap { [$0.lowerBound, $0.upperBound + 1] }
        return Set(characters.ranges.map { $0.lowerBound } + edges.filter(characters.contains))
    }
}
