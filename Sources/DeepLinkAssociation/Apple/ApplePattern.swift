/// A pattern of Apple's for a whole part of a URL, as an automaton without memory: states, and what leads between them.
struct ApplePattern {
    private enum Step {
        /// One character leads to a state.
        case character(Unicode.Scalar, Int)

        /// One character of a class leads to a state.
        case oneOf(AppleCharacterClass, Int)

        /// Any one character leads to a state.
        case any(Int)

        /// No character leads to a state.
        case free(Int)
    }

    private var steps: [[Step]] = [[]]
    private let last: Int
    private let caseSensitive: Bool

    /// Lays out a pattern.
    init(_ pattern: String, variables: AppleVariables, caseSensitive: Bool) {
        self.caseSensitive = caseSensitive
        var layout: [[Step]] = [[]]
        let elements = ApplePatternParser.elements(of: pattern, variables: variables)
        last = Self.lay(elements, from: 0, caseSensitive, &layout)
        steps = layout
    }

    private static func lay(
        _ elements: [ApplePatternElement],
        from start: Int,
        _ caseSensitive: Bool,
        _ layout: inout [[Step]]
    ) -> Int {
        var state = start
        func next() -> Int {
            layout.append([])
            return layout.count - 1
        }
        for element in elements {
            let end = next()
            switch element {
            case .character(let scalar):
                layout[state].append(.character(caseSensitive ? scalar : folded(scalar), end))
            case .oneOf(let characters): layout[state].append(.oneOf(characters, end))
            case .any: layout[state].append(.any(end))
            case .anything:
                layout[state].append(.free(end))
                layout[end].append(.any(end))
            case .values(let values):
                for value in values {
                    let begin = next()
                    layout[state].append(.free(begin))
                    layout[lay(value, from: begin, caseSensitive, &layout)].append(.free(end))
                }
            case .nothing: break
            }
            state = end
        }
        return state
    }

    /// Returns whether the pattern describes the whole of a text.
    ///
    /// - Complexity: linear in the characters times the states.
    func matches(_ text: String, _ effort: inout MatchingEffort) throws(MatchingEffortError) -> Bool {
        var present: [Int] = []
        var following: [Int] = []
        // The number of the character for which a state was reached last.
        var reachedAt = [Int](repeating: -1, count: steps.count)
        reach(0, 0, &present, &reachedAt)
        var position = 0
        for scalar in text.unicodeScalars {
            let scalar = caseSensitive ? scalar : Self.folded(scalar)
            position += 1
            following.removeAll(keepingCapacity: true)
            for state in present {
                for step in steps[state] {
                    switch step {
                    case .character(let own, let next) where own == scalar:
                        reach(next, position, &following, &reachedAt)
                    case .oneOf(let characters, let next)
                    where characters.contains(scalar, caseSensitive: caseSensitive):
                        reach(next, position, &following, &reachedAt)
                    case .any(let next): reach(next, position, &following, &reachedAt)
                    case .character, .oneOf, .free: break
                    }
                }
            }
            try effort.spend(present.count + following.count + 1)
            swap(&present, &following)
            guard !present.isEmpty else { return false }
        }
        return present.contains(last)
    }

    private func reach(_ state: Int, _ position: Int, _ states: inout [Int], _ reachedAt: inout [Int]) {
        var todo = [state]
        while let state = todo.popLast() {
            guard reachedAt[state] != position else { continue }
            reachedAt[state] = position
            states.append(state)
            for case .free(let next) in steps[state] { todo.append(next) }
        }
    }

    /// The small letter of a character, where it is a single one.
    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return ("A"..."Z").contains(scalar) ? Unicode.Scalar(scalar.value | 0x20) ?? scalar : scalar
        }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? scalar : scalar
    }
}
