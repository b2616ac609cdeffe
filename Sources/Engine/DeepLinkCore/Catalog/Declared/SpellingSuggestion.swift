/// A suggestion for a mistyped word.
package enum SpellingSuggestion {
    /// The maximum length of a compared word: longer words lack useful neighbours.
    private static let maximumLength = 64

    /// The maximum number of candidates that are compared letter by letter.
    private static let maximumCandidateCount = 128

    /// Returns the candidate with the fewest edits, if it is close enough.
    ///
    /// - Complexity: linear in the letters of the compared candidates, which are limited in number.
    package static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
        ranked(candidates, near: word).first
    }

    /// Returns a hint that asks for the closest candidate, or `otherwise` if none is close.
    package static func hint(for word: String, among candidates: some Sequence<String>, otherwise: String) -> String {
        closest(to: word, among: candidates).map { "Did you mean `\($0)`?" } ?? otherwise
    }

    /// Returns the candidates that are close enough, closest first and then by name.
    static func ranked(_ candidates: some Sequence<String>, near word: String) -> [String] {
        guard word.utf8.count <= maximumLength * 4 else { return [] }
        let letters = Array(word.unicodeScalars)
        guard letters.count <= maximumLength else { return [] }
        let limit = max(1, letters.count / 3)
        let distance = EditDistance(letters)
        // A cheap filter first: thousands of siblings must not make a mistyped link expensive.
        let plausible = candidates.lazy.filter { candidate in
            let scalars = candidate.unicodeScalars
            return abs(candidate.utf8.count - word.utf8.count) <= limit * 4
                && (scalars.first == letters.first || scalars.last == letters.last || letters.count <= 4)
        }
        return
            plausible.prefix(maximumCandidateCount)
            .compactMap { candidate -> (distance: Int, word: String)? in
                guard candidate.utf8.count <= maximumLength * 4 else { return nil }
                let count = candidate.unicodeScalars.count
                guard count <= maximumLength, abs(count - letters.count) <= limit else { return nil }
                let distance = distance.measure(to: candidate)
                return distance <= limit ? (distance, candidate) : nil
            }
            .sorted { ($0.distance, $0.word.bytewise) < ($1.distance, $1.word.bytewise) }
            .map { $0.word }
    }

    /// Returns the close candidates among many, as ``ranked(_:near:)`` does.
    ///
    /// If there are too many to compare, only the ones around the word's position are compared.
    ///
    /// - Precondition: The candidates are sorted by their bytes.
    static func ranked(sorted candidates: ArraySlice<String>, near word: String) -> [String] {
        guard candidates.count > maximumCandidateCount else { return ranked(candidates, near: word) }
        var low = candidates.startIndex
        var high = candidates.endIndex
        while low < high {
            let middle = (low + high) / 2
            if candidates[middle].bytewise < word.bytewise { low = middle + 1 } else { high = middle }
        }
        let half = maximumCandidateCount / 2
        let start = min(max(low - half, candidates.startIndex), candidates.endIndex - maximumCandidateCount)
        return ranked(candidates[start..<start + maximumCandidateCount], near: word)
    }
}

/// The number of insertions, deletions, replacements and swaps of neighbours between a word and others (optimal string
/// alignment distance).
///
/// A column of the table of distances is one number, a bit for each letter of the word (Hyyrö, *A bit-vector algorithm
/// for computing Levenshtein and Damerau edit distances*, 2003).
struct EditDistance {
    private let count: Int

    /// The positions of each ASCII letter in the word, a bit each.
    private var ascii = [UInt64](repeating: 0, count: 128)

    /// The positions of all other letters of the word.
    private var others: [Unicode.Scalar: UInt64] = [:]

    /// Creates the distance from a word of at most 64 letters.
    init(_ word: [Unicode.Scalar]) {
        count = word.count
        for (place, letter) in word.enumerated() {
            if letter.isASCII {
                ascii[Int(letter.value)] |= 1 << place
            } else {
                others[letter, default: 0] |= 1 << place
            }
        }
    }

    /// Returns the number of edits between the word and another one.
    ///
    /// - Complexity: linear in the letters of the other word.
    func measure(to other: String) -> Int {
        guard count > 0 else { return other.unicodeScalars.count }
        let last: UInt64 = 1 << (count - 1)
        // The positions at which the distance rises or falls from one letter of the word to the next.
        var rises = ~UInt64(0)
        var falls: UInt64 = 0
        var diagonal: UInt64 = 0
        var places: UInt64 = 0
        var distance = count
        for letter in other.unicodeScalars {
            let before = places
            places = letter.isASCII ? ascii[Int(letter.value)] : others[letter] ?? 0
            let swaps = (~diagonal & places) << 1 & before
            diagonal = ((places & rises) &+ rises) ^ rises | places | falls | swaps
            var grows = falls | ~(diagonal | rises)
            var shrinks = diagonal & rises
            if grows & last != 0 { distance += 1 }
            if shrinks & last != 0 { distance -= 1 }
            grows = grows << 1 | 1
            shrinks <<= 1
            rises = shrinks | ~(diagonal | grows)
            falls = grows & diagonal
        }
        return distance
    }
}
