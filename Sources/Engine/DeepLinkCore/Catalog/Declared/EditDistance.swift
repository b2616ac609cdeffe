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
