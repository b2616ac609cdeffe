import DeepLinkCore

/// A word that is a literal or a value.
struct WordCandidate {
    let text: String
    let word: SegmentTally.Word

    /// The number of links.
    let links: Int

    /// Whether many apps have a screen of this name.
    let isCommon: Bool

    /// Whether a part of the word names screens in many apps, as in `device-info`.
    let isScreen: Bool

    /// Whether the word has three parts or more, as titles have: `energy-final-night`.
    let isPhrase: Bool

    /// Whether the word looks like a value: with a digit among letters, or of many parts.
    let isValueLike: Bool

    init(text: String, word: SegmentTally.Word) {
        self.text = text
        self.word = word
        links = word.links
        isCommon = ScreenWords.contains(text)
        let parts = Self.parts(of: text)
        isScreen = isCommon || parts.count <= 4 && parts.contains { ScreenWords.contains($0) }
        isPhrase = parts.count > 2
        // So many parts, or letters, look like a title.
        let isLong = parts.count > 4 || text.utf8.count > 32
        let hasDigit = text.utf8.contains(where: ASCII.isDigit)
        isValueLike = hasDigit && text.utf8.count > 6 || isLong || Self.hasMixedCase(text)
    }

    /// Whether links go on behind the word.
    var goesOn: Bool { word.ends < links }

    /// The parts between hyphens, dots and underscores.
    private static func parts(of text: String) -> [String] {
        text.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }.map { String(Substring($0)) }
    }

    /// Returns whether several capitals stand side by side among small letters, as in random identifiers.
    private static func hasMixedCase(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.contains { 0x61...0x7A ~= $0 }
            && zip(bytes, bytes.dropFirst()).contains { 0x41...0x5A ~= $0 && 0x41...0x5A ~= $1 }
    }

    /// Returns whether what is behind the word is not what is behind the values.
    ///
    /// - Parameters:
    ///   - values: The links of all values.
    ///   - count: The number of words that are asked: the more, the sooner one of them differs by chance.
    ///   - isFirst: Whether the words are the first segments of the paths.
    /// - Returns: Whether they differ.
    func isStructure(among values: SegmentTally.Word, of count: Int, isFirst: Bool) -> Bool {
        guard !isValueLike, links >= (isCommon ? 2 : 3) else { return false }
        if word.differs(from: values, of: count) { return true }
        guard goesOn else { return false }
        let (own, others) = (word.nexts, values.nexts)
        if values.links >= 5, values.ends == values.links { return true }
        // Behind values that go on with any word, a literal goes on with some few, each of them often.
        guard !others.isWide, values.links - values.ends >= 3 * max(1, others.hashes.count) else {
            return !own.isWide && !own.hashes.isEmpty && links >= 12 && links >= 4 * own.hashes.count && !own.hasValues
                && (isFirst || isCommon)
        }
        guard !own.isWide, own.hasValues != others.hasValues || !own.hashes.isEmpty else { return false }
        let known = Set(others.hashes)
        return !own.hashes.contains(where: known.contains) && (!own.hasValues || !others.hasValues)
    }
}
