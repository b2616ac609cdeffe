/// Describes texts by a sequence of characters and character classes, each with an optional length.
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

    /// Reads a pattern.
    ///
    /// - Throws: ``TextPatternError``, which says what is wrong in words.
    public init(_ source: String) throws(TextPatternError) {
        self.source = source
        var parser = TextPatternParser(source)
        elements = try parser.parse()
    }

    /// Tells whether the whole text fits the pattern.
    ///
    /// Follows all positions that the elements so far can have reached, so that overlapping neighbours such as
    /// `[a-z]+[a-z0-9]+` need no backtracking.
    ///
    /// - Complexity: O(*n* · *e*) for *n* characters and *e* elements.
    func matches(_ text: String) -> Bool {
        let characters = text.unicodeScalars.map(\.value)
        var reachable = [Bool](repeating: false, count: characters.count + 1)
        reachable[0] = true
        for element in elements { reachable = element.advance(reachable, in: characters) }
        return reachable[characters.count]
    }
}

extension TextPattern {
    /// Repeats one character class for a range of lengths.
    struct Element: Hashable, Sendable {
        let characters: CharacterClass
        let minimum: Int
        let maximum: Int

        /// Moves a set of positions over the characters that the element accepts.
        func advance(_ reachable: [Bool], in text: [UInt32]) -> [Bool] {
            // Each start opens an interval of ends; the sums of its borders tell which ends are covered.
            var borders = [Int](repeating: 0, count: text.count + 2)
            var runEnd = text.count
            for start in stride(from: text.count, through: 0, by: -1) {
                if start < text.count, !characters.contains(text[start]) { runEnd = start }
                guard reachable[start], minimum <= runEnd - start else { continue }
                let last = maximum < runEnd - start ? start + maximum : runEnd
                borders[start + minimum] += 1
                borders[last + 1] -= 1
            }
            var open = 0
            return (0...text.count)
                .map { position in
                    open += borders[position]
                    return open > 0
                }
        }
    }
}
