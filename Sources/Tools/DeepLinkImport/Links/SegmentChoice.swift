import DeepLinkCore

/// The segments at one place of the paths, divided into literals and values of a parameter.
///
/// Literals are few, and come again and again. Values are many, and most are rare. A word that names screens in many apps
/// is rather a literal, and a word made of the parts of its siblings rather a value.
struct SegmentChoice {
    /// A literal, with the spellings of its letters that the links have, the most frequent first.
    struct Literal {
        let spellings: [String]
        let links: Int
    }

    /// The literals in the order of their bytes.
    private(set) var literals: [Literal] = []

    /// The words of an enumeration.
    private(set) var enumeration: [String] = []

    /// The words that are values.
    private(set) var valueWords: [ByteText: SegmentTally.Word] = [:]

    /// Whether some links have a value there.
    private(set) var hasValues: Bool

    /// - Parameters:
    ///   - tally: The segments.
    ///   - previous: The literal before them, or `nil` at the beginning and behind a value.
    ///   - isFirst: Whether they are the first segments of the paths.
    init(_ tally: SegmentTally, after previous: String?, isFirst: Bool) {
        hasValues = tally.values.links > 0 || tally.uncountedLinks > 0
        var words = tally.words.map { Candidate(text: $0.key.string, word: $0.value) }
        words.sort { ($1.word.links, $0.text.bytewise) < ($0.word.links, $1.text.bytewise) }
        let literals = Self.literals(of: words, tally: tally, after: previous, isFirst: isFirst)
        let kept = Set(literals.map(\.text.bytewise))
        let values = words.filter { !kept.contains($0.text.bytewise) }
        for value in values { valueWords[value.text.bytewise] = value.word }
        if !hasValues { enumeration = Self.enumeration(of: values) }
        if !values.isEmpty { hasValues = true }
        self.literals = Self.joined(literals)
    }

    /// Returns the literals, at most the given number of the most frequent ones, in the order of their bytes.
    func literals(upTo maximumCount: Int) -> [Literal] {
        guard literals.count > maximumCount else { return literals }
        return literals.sorted { ($1.links, $0.spellings[0].bytewise) < ($0.links, $1.spellings[0].bytewise) }
            .prefix(maximumCount).sorted { $0.spellings[0].bytewise < $1.spellings[0].bytewise }
    }

    /// A word that is a literal or a value.
    private struct Candidate {
        let text: String
        let word: SegmentTally.Word

        /// Whether many apps have a screen of this name.
        var isCommon: Bool { ScreenWords.contains(text) }

        /// The parts between hyphens, dots and underscores, in lower case.
        var parts: [ByteText] {
            text.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
                .map { ScreenWords.lowercased(String(Substring($0))) }
        }

        /// Whether the word looks like a value: with a digit among letters, or of many parts.
        var isValueLike: Bool {
            let hasDigit = text.utf8.contains(where: ASCII.isDigit)
            return hasDigit && text.utf8.count > 3 || isLong || hasMixedCase
                || text.utf8.contains(UInt8(ascii: ".")) && !text.utf8.contains(UInt8(ascii: "-"))
        }

        /// Whether several capitals stand side by side among small letters, as in random identifiers.
        private var hasMixedCase: Bool {
            let bytes = Array(text.utf8)
            return bytes.contains { 0x61...0x7A ~= $0 }
                && zip(bytes, bytes.dropFirst()).contains { 0x41...0x5A ~= $0 && 0x41...0x5A ~= $1 }
        }

        /// Whether the word has so many parts, or letters, that it looks like a title.
        var isLong: Bool { parts.count > 4 || text.utf8.count > 32 }
    }

    private static func literals(
        of words: [Candidate],
        tally: SegmentTally,
        after previous: String?,
        isFirst: Bool
    ) -> [Candidate] {
        guard !words.isEmpty else { return [] }
        let links = words.reduce(0) { $0 + $1.word.links }
        let once = words.count { $0.word.links == 1 }
        let strange = words.filter { !$0.isCommon }
        let commonCount = words.count - strange.count
        let valueLike = strange.count(where: \.isValueLike)
        let valuesAround = tally.values.links + tally.uncountedLinks

        // Siblings whose paths go on with the same words are values of one parameter.
        if let shared = sharedContinuation(of: strange), !isFirst || strange.count > 12 {
            return words.filter {
                $0.isCommon || $0.word.nextWords & shared == 0 && $0.word.links >= 3 && !$0.isValueLike
            }
        }
        // At the beginning, where literals are many, there is more to be shown.
        let share = isFirst ? 2 : 4
        let isOpen =
            strange.count >= 10 && once * share >= words.count && once * 20 >= links
            || valueLike >= 3 && valueLike * 3 >= strange.count
            || tally.uncountedLinks > 0
        let areValuesAround = isFirst ? valuesAround * 8 >= links : valuesAround > 0
        if isOpen || areValuesAround && (valueLike > 0 || areRare(strange)) {
            return literalsAmongValues(words, tally: tally, isFirst: isFirst)
        }
        guard !isFirst else {
            return strange.count > 200 ? literalsAmongValues(words, tally: tally, isFirst: true) : words
        }
        // A closed set of many words without any that is common holds values, such as towns.
        let isContainer = previous.map { ScreenWords.isContainer($0) } ?? false
        if strange.count >= (isContainer ? 65 : 16), commonCount * 8 < words.count,
            strange.count > 32 || areAlike(strange)
        {
            return words.filter(\.isCommon)
        }
        let isCollection = previous.map { ScreenWords.isPlural($0) } ?? true
        // A few different values of a thing, none of them seen often.
        let isFew =
            strange.count >= (isCollection ? 2 : 3) && strange.allSatisfy { $0.word.links * 8 <= max(links, 16) }
        if !isContainer, isFew, commonCount * 2 <= strange.count { return words.filter(\.isCommon) }
        return words.filter { !($0.isValueLike && $0.word.links < 3) }
    }

    /// Returns the literals of words among which most are values.
    private static func literalsAmongValues(_ words: [Candidate], tally: SegmentTally, isFirst: Bool) -> [Candidate] {
        var counts: [ByteText: Int] = [:]
        let rare = words.filter { $0.word.links <= 4 && !$0.isCommon }
        for word in rare { for part in Set(word.parts) { counts[part, default: 0] += 1 } }
        let mean = Double(rare.reduce(0) { $0 + $1.word.links }) / Double(max(1, rare.count))
        let least = isFirst ? max(3, Int(mean * 3) + 1) : max(5, Int(mean * 10) + 4)
        // The segments behind the values.
        let sure = rare.filter { $0.word.links <= 2 }
        let sureLinks = tally.values.links + sure.reduce(0) { $0 + $1.word.links }
        let sureEnds = tally.values.ends + sure.reduce(0) { $0 + $1.word.ends }
        let sureNexts = sure.reduce(tally.values.nexts) { $0 | $1.word.nexts }
        let valuesEnd = (sureLinks - sureEnds) * 20 <= sureLinks
        var kept: [Candidate] = []
        var leaves: [Candidate] = []
        for candidate in words {
            let word = candidate.word
            let goesOn = word.links > word.ends
            if candidate.isCommon
                || goesOn && !candidate.isValueLike && valuesEnd && (word.links >= least || isFirst)
                || goesOn && !candidate.isValueLike && word.links >= least && 1...16 ~= word.nextWords.nonzeroBitCount
                    && word.nextWords & sureNexts == 0 && sureNexts.nonzeroBitCount <= 24
            {
                kept.append(candidate)
            } else if word.links >= (candidate.isLong ? least * 2 : least), candidate.isLong || !candidate.isValueLike,
                !goesOn || !valuesEnd,
                // A word made of the parts of other words is one of them.
                !candidate.parts.contains(where: { (counts[$0] ?? 0) > 3 })
            {
                leaves.append(candidate)
            }
        }
        // Frequent words are no literals if values are taken unevenly, such as those of popular things.
        let isUneven = leaves.count * 25 > words.count && words.count > 50
        let most = isFirst ? max(8, 2 * kept.count) : isUneven ? kept.count / 2 : max(2, kept.count)
        return kept + leaves.prefix(most)
    }

    /// Returns the bits of the words with which most siblings go on, if there are some.
    private static func sharedContinuation(of words: [Candidate]) -> UInt64? {
        // So many words behind one are values, too.
        let going = words.filter { 1...16 ~= $0.word.nextWords.nonzeroBitCount }
        guard going.count >= 4, going.count * 2 >= words.count else { return nil }
        var best: (bit: UInt64, count: Int) = (0, 0)
        var shared: UInt64 = 0
        for place in 0..<63 {
            let bit: UInt64 = 1 << UInt64(place)
            let count = going.count { $0.word.nextWords & bit != 0 }
            if count * 2 >= going.count { shared |= bit }
            if count > best.count { best = (bit, count) }
        }
        return best.count * 5 >= going.count * 3 ? shared : nil
    }

    /// Returns whether words beside numbers and identifiers are as rare as they.
    private static func areRare(_ words: [Candidate]) -> Bool {
        let once = words.count { $0.word.links <= 2 }
        return words.count >= 4 && once * 2 >= words.count
    }

    /// Returns whether words are seen about equally often, and go on alike.
    private static func areAlike(_ words: [Candidate]) -> Bool {
        let counts = words.map(\.word.links).sorted()
        let (low, high) = (counts[counts.count / 10], counts[counts.count - 1 - counts.count / 10])
        let nexts = Set(words.map { $0.word.nexts })
        return high <= low * 3 && nexts.count == 1
    }

    /// Returns the words of an enumeration, if the values are some few words, each seen often.
    private static func enumeration(of words: [Candidate]) -> [String] {
        guard ValueTally.enumerationWords.contains(words.count),
            words.allSatisfy({ $0.word.links >= ValueTally.enumerationLinks })
        else {
            return []
        }
        return words.map(\.text.bytewise).sorted().map(\.string)
    }

    /// Joins the literals that differ by the case of their letters.
    private static func joined(_ literals: [Candidate]) -> [Literal] {
        Dictionary(grouping: literals, by: { ScreenWords.lowercased($0.text) })
            .map { _, group in
                let sorted = group.sorted {
                    ($1.word.links, $0.text.bytewise) < ($0.word.links, $1.text.bytewise)
                }
                return Literal(spellings: sorted.map(\.text), links: group.reduce(0) { $0 + $1.word.links })
            }
            .sorted { $0.spellings[0].bytewise < $1.spellings[0].bytewise }
    }
}
