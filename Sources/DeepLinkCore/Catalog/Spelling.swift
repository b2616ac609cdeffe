/// Finds the word that a mistyped one was meant to be.
public enum Spelling {
    /// The longest word compared; a longer one has no useful neighbour, and comparing costs its square.
    private static let maximumLength = 64

    /// The most candidates compared letter by letter.
    private static let maximumCandidateCount = 1000

    /// Finds the candidate that is fewest edits away, if it is near enough to be meant.
    ///
    /// - Complexity: O(*c* · *n*²) for *c* candidates of *n* characters.
    public static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
        ranked(candidates, near: word).first
    }

    /// Asks whether the nearest candidate was meant; where none is near, says `otherwise`.
    public static func hint(for word: String, among candidates: some Sequence<String>, otherwise: String) -> String {
        closest(to: word, among: candidates).map { "Did you mean `\($0)`?" } ?? otherwise
    }

    /// Sorts the candidates that are near enough to be meant, nearest first and then by name.
    static func ranked(_ candidates: some Sequence<String>, near word: String) -> [String] {
        let letters = Array(word.unicodeScalars)
        guard letters.count <= maximumLength else { return [] }
        let limit = max(1, letters.count / 3)
        // A cheap look first: thousands of siblings must not make a mistyped link expensive.
        let plausible = candidates.lazy.filter { candidate in
            let scalars = candidate.unicodeScalars
            return abs(candidate.utf8.count - word.utf8.count) <= limit * 4
                && (scalars.first == letters.first || scalars.last == letters.last || letters.count <= 4)
        }
        return
            plausible.prefix(maximumCandidateCount)
            .compactMap { candidate -> (distance: Int, word: String)? in
                let other = Array(candidate.unicodeScalars)
                guard other.count <= maximumLength, abs(other.count - letters.count) <= limit else { return nil }
                let distance = editDistance(letters, other)
                return distance <= limit ? (distance, candidate) : nil
            }
            .sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
            .map(\.word)
    }

    /// Counts the insertions, deletions, replacements and swaps of neighbours between two words (optimal string
    /// alignment distance).
    private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
