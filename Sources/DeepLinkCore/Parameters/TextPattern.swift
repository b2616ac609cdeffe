/// A set of texts: a sequence of characters and character classes, each with an optional length.
///
/// The syntax is a small part of regular expressions, so that matching is linear in the text and two patterns
/// can be compared: `[a-z0-9-]{1,64}`, `@[a-z]+`, `\d+`. Lengths are `{n}`, `{n,}`, `{n,m}`, `+`, `*` and `?`;
/// `\d` is a digit, `\w` a letter, digit or underscore, and a backslash before any other character that is not
/// a letter or digit stands for that character. Groups, alternatives and `.` do not exist. A pattern always
/// describes the whole text.
public struct TextPattern: Hashable, Sendable {
    /// The pattern as written.
    public let source: String

    let elements: [Element]

    private let automaton: PatternAutomaton

    /// Reads a pattern.
    ///
    /// - Throws: ``TextPatternError``, which says what is wrong in words.
    public init(_ source: String) throws(TextPatternError) {
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

    /// Compares the patterns as written, byte by byte.
    public static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source.bytewise == right.source.bytewise
    }

    /// Hashes the pattern as written.
    public func hash(into hasher: inout Hasher) { hasher.combine(source.bytewise) }
}

extension TextPattern {
    /// One character class, repeated for a range of lengths.
    struct Element: Hashable, Sendable {
        let characters: CharacterClass
        let minimum: Int
        let maximum: Int
    }
}
