/// The shape of words, which distinguishes segments that people choose from ids.
enum LinkWord {
    /// The most bytes of a word.
    private static let maximumLength = 24

    /// The most consonants that follow one another in a word.
    private static let maximumConsonantCount = 4

    /// Returns whether a segment looks like a word: ASCII letters, in parts between `-` and `_`, with a vowel among them
    /// unless it is as short as `tv`.
    ///
    /// A capital letter begins a part or follows two small ones (`myOrders`). A digit makes an id.
    static func isWord(_ segment: String) -> Bool {
        guard (1...maximumLength).contains(segment.utf8.count) else { return false }
        var (smallCount, consonantCount) = (0, 0)
        var (isPartBegin, hasVowel) = (true, false)
        for byte in segment.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): smallCount += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                guard isPartBegin || smallCount >= 2 else { return false }
                smallCount = 0
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard smallCount > 0 else { return false }
                (smallCount, consonantCount, isPartBegin) = (0, 0, true)
                continue
            default: return false
            }
            isPartBegin = false
            let isVowel = "aeiouyAEIOUY".utf8.contains(byte)
            hasVowel = hasVowel || isVowel
            consonantCount = isVowel ? 0 : consonantCount + 1
            guard consonantCount <= maximumConsonantCount else { return false }
        }
        return smallCount > 0 && (hasVowel || segment.utf8.count <= 3)
    }
}
