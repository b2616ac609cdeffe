/// A compiled pattern of an Apple rule for a whole part of a URL: a finite automaton of states and steps.
struct ApplePattern {
    private enum Condition {
        /// One character.
        case character(Unicode.Scalar)

        /// One character of a class.
        case oneOf(AppleCharacterClass)

        /// Any one character.
        case any

        /// No character.
        case free
    }

    /// A step from one state to another.
    private struct Step {
        let condition: Condition
        let end: Int32

        /// The next step from the same state, or -1 if there is none.
        let next: Int32
    }

    /// The cost of compiling a state with its steps: some 50 bytes, so that a budget of steps also bounds the memory.
    static let stateCost = 8

    /// The first step of each state, or -1 if it has none.
    private var firstSteps: [Int32] = [-1]
    private var steps: [Step] = []
    private var last: Int32 = 0
    private let caseSensitive: Bool

    /// Compiles a pattern into an automaton.
    ///
    /// A variable is expanded once for each of its occurrences, so the pattern's length doesn't bound the number of
    /// states.
    ///
    /// - Throws: ``MatchingEffortError`` before it allocates memory that exceeds the budget.
    init(
        _ pattern: String,
        variables: AppleVariables,
        caseSensitive: Bool,
        spending effort: inout MatchingEffort
    ) throws(MatchingEffortError) {
        self.caseSensitive = caseSensitive
        try effort.spend(pattern.utf8.count)
        let elements = ApplePatternParser.elements(of: pattern, variables: variables)
        last = try lay(elements, from: 0, spending: &effort)
    }

    private mutating func lay(
        _ elements: [ApplePatternElement],
        from start: Int32,
        spending effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> Int32 {
        var state = start
        for element in elements {
            let end = try addState(&effort)
            switch element {
            case .character(let scalar):
                addStep(.character(caseSensitive ? scalar : Self.folded(scalar)), from: state, to: end)
            case .oneOf(let characters): addStep(.oneOf(characters), from: state, to: end)
            case .any: addStep(.any, from: state, to: end)
            case .anything:
                addStep(.free, from: state, to: end)
                addStep(.any, from: end, to: end)
            case .values(let values):
                for value in values {
                    let begin = try addState(&effort)
                    addStep(.free, from: state, to: begin)
                    addStep(.free, from: try lay(value, from: begin, spending: &effort), to: end)
                }
            case .nothing: break
            }
            state = end
        }
        return state
    }

    private mutating func addState(_ effort: inout MatchingEffort) throws(MatchingEffortError) -> Int32 {
        try effort.spend(Self.stateCost)
        firstSteps.append(-1)
        return Int32(truncatingIfNeeded: firstSteps.count - 1)
    }

    private mutating func addStep(_ condition: Condition, from state: Int32, to end: Int32) {
        steps.append(Step(condition: condition, end: end, next: firstSteps[Int(state)]))
        firstSteps[Int(state)] = Int32(truncatingIfNeeded: steps.count - 1)
    }

    /// Returns whether the pattern matches the whole of a text.
    ///
    /// - Complexity: linear in the characters times the states.
    /// - Throws: ``MatchingEffortError``.
    func matches(_ text: String, spending effort: inout MatchingEffort) throws(MatchingEffortError) -> Bool {
        try effort.spend(firstSteps.count)
        var present: [Int32] = []
        var following: [Int32] = []
        // The index of the character at which a state was last reached.
        var reachedAt = [Int32](repeating: -1, count: firstSteps.count)
        try reach(0, position: 0, states: &present, reachedAt: &reachedAt, spending: &effort)
        var position: Int32 = 0
        for scalar in text.unicodeScalars {
            let scalar = caseSensitive ? scalar : Self.folded(scalar)
            position &+= 1
            following.removeAll(keepingCapacity: true)
            for state in present {
                var step = firstSteps[Int(state)]
                while step >= 0 {
                    try effort.spend(1)
                    let own = steps[Int(step)]
                    step = own.next
                    let leads =
                        switch own.condition {
                        case .character(let character): character == scalar
                        case .oneOf(let characters): characters.contains(scalar, caseSensitive: caseSensitive)
                        case .any: true
                        case .free: false
                        }
                    if leads {
                        try reach(
                            own.end,
                            position: position,
                            states: &following,
                            reachedAt: &reachedAt,
                            spending: &effort
                        )
                    }
                }
            }
            try effort.spend(1)
            swap(&present, &following)
            guard !present.isEmpty else { return false }
        }
        return present.contains(last)
    }

    private func reach(
        _ state: Int32,
        position: Int32,
        states: inout [Int32],
        reachedAt: inout [Int32],
        spending effort: inout MatchingEffort
    ) throws(MatchingEffortError) {
        guard reachedAt[Int(state)] != position else { return }
        reachedAt[Int(state)] = position
        states.append(state)
        // States reached without a character are expanded in place.
        var place = states.count - 1
        while place < states.count {
            var step = firstSteps[Int(states[place])]
            place += 1
            while step >= 0 {
                try effort.spend(1)
                let own = steps[Int(step)]
                step = own.next
                guard case .free = own.condition, reachedAt[Int(own.end)] != position else { continue }
                reachedAt[Int(own.end)] = position
                states.append(own.end)
            }
        }
    }

    /// Returns the lowercase form of a character, if that is a single character.
    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return ("A"..."Z").contains(scalar) ? Unicode.Scalar(scalar.value | 0x20) ?? scalar : scalar
        }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? scalar : scalar
    }
}
