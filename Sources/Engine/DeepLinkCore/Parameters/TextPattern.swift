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
    /// - Throws: ``PatternError`` with a message.
    package init(_ source: String) throws(PatternError) {
        self.source = source
        var parser = TextPatternParser(source)
        elements = try parser.parse()
        automaton = PatternAutomaton([elements])
        guard automaton.weight <= PatternAutomaton.maximumWeight else {
            throw PatternError(
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

extension TextPattern {
    /// The longest repetition of a class in an example, even if the pattern allows more.
    private static let longestRun = 64

    /// Returns texts that fit the pattern and lie at its bounds, the plainest first: each class with its first and last
    /// characters, and each at its shortest and longest.
    ///
    /// With another pattern, the texts include examples at its bounds. If the two patterns differ, one of the texts
    /// shows it in most cases.
    ///
    /// - Complexity: linear in the elements of both, times the longest text.
    package func examples(beside other: TextPattern? = nil) -> [String] {
        let others = other?.elements ?? []
        let marks = others.flatMap { $0.characters.ranges }
            .flatMap { range in
                [range.lowerBound, range.upperBound, range.lowerBound &- 1, range.upperBound &+ 1]
            }
        let lengths = others.flatMap { [$0.minimum, $0.maximum, $0.minimum &- 1, $0.maximum &+ 1] }
        let plain = elements.map { Self.run(of: $0.characters.plainest, element: $0, length: $0.minimum) }
        var examples = [plain]
        for (index, element) in elements.enumerated() {
            var texts: [String] = []
            let ends = element.characters.ranges.flatMap { [$0.lowerBound, $0.upperBound] }
            for scalar in ends + marks where element.characters.contains(scalar) {
                texts.append(Self.run(of: scalar, element: element, length: max(1, element.minimum)))
            }
            for length in [element.maximum, element.minimum] + lengths
            where length >= element.minimum && length <= element.maximum {
                texts.append(Self.run(of: element.characters.plainest, element: element, length: length))
            }
            for text in texts { examples.append(plain[..<index] + [text] + plain[(index + 1)...]) }
        }
        var known: Set<ByteText> = []
        return examples.map { $0.joined() }.filter { matches($0) && known.insert($0.bytewise).inserted }
    }

    private static func run(of scalar: UInt32, element: Element, length: Int) -> String {
        let text = Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
        return String(repeating: text, count: max(element.minimum, min(length, element.maximum, longestRun)))
    }
}

extension CharacterClass {
    /// The most readable character: a letter, otherwise a digit, otherwise the first.
    fileprivate var plainest: UInt32 {
        [0x61...0x7A, 0x41...0x5A, 0x30...0x39].lazy
            .compactMap { (plain: ClosedRange<UInt32>) in
                ranges.first { $0.overlaps(plain) }?.clamped(to: plain).lowerBound
            }
            .first ?? ranges.first?.lowerBound ?? 0x61
    }
}

/// The reason, in words, why a text isn't a valid pattern of a path or of a parameter.
package struct PatternError: Error, Hashable, Sendable {
    /// The fault, to follow the pattern in a sentence.
    package let message: String

    /// The remedy, or `nil` if any valid pattern shows it.
    package var hint: String?
}
