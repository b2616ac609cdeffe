/// A set of texts: a sequence of characters and character classes, each with an optional length.
///
/// The syntax is a small subset of regular expressions, so that matching is linear in the text and two patterns can be
/// compared: `[a-z0-9-]{1,64}`, `@[a-z]+`, `\d+`. Lengths are `{n}`, `{n,}`, `{n,m}`, `+`, `*` and `?`. `\d` is a
/// digit, and `\w` a letter, digit or underscore. A backslash escapes any other character that is not a letter or
/// digit. There are no groups, alternatives or `.`. A pattern always matches the whole text.
package struct TextPattern: Hashable, Sendable {
    /// The pattern as written.
    package let source: String

    let elements: [Element]

    private let automaton: PatternAutomaton

    /// Parses a pattern.
    ///
    /// - Throws: ``TextPatternError`` with a message.
    package init(_ source: String) throws(TextPatternError) {
        self.source = source
        var parser = TextPatternParser(source)
        elements = try parser.parse()
        automaton = PatternAutomaton([elements])
        guard automaton.weight <= PatternAutomaton.maximumWeight else {
            throw TextPatternError(
                message: "has \(automaton.weight) places for a character, where at most "
                    + "\(PatternAutomaton.maximumWeight) are read at once; a length counts 128 of them at most"
            )
        }
    }

    /// Returns whether the whole text fits the pattern.
    ///
    /// - Complexity: linear in the text.
    func matches(_ text: String) -> Bool { automaton.match(text).contains(0) }

    /// Visits the places at the ends of texts that fit the pattern, from any of several places, until one is the last.
    func reach(_ steps: [PatternAutomaton.Step], from isStart: (Int) -> Bool, isLast: (Int) -> Bool) {
        automaton.reach(steps, from: isStart, isLast: isLast)
    }

    /// Compares the patterns as written, byte by byte.
    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source.bytewise == right.source.bytewise
    }

    /// Hashes the pattern as written.
    package func hash(into hasher: inout Hasher) { hasher.combine(source.bytewise) }
}

extension TextPattern {
    /// One character class, repeated for a range of lengths.
    struct Element: Hashable, Sendable {
        let characters: CharacterClass
        let minimum: Int
        let maximum: Int
    }
}
