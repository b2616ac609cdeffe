/// A pattern of the kind `PATTERN_ADVANCED_GLOB` of `android.os.PatternMatcher`: greedy tokens without backtracking.
///
/// It implements the part of the language that expressions are converted into: characters, `.`, `.*` and `+`. Sets and
/// ranges are escaped.
struct AndroidAdvancedGlob {
    private struct Token {
        /// The character, or `nil` for any.
        let unit: UInt16?
        var minimum = 1
        var maximum = 1
    }

    private var tokens: [Token] = []

    /// Reads a pattern, or returns `nil` if a modifier follows nothing, or the pattern ends in a backslash.
    init?(_ pattern: [UInt16]) {
        var isModified = true
        var place = 0
        while place < pattern.count {
            let unit = pattern[place]
            switch unit {
            case UInt16(UInt8(ascii: "*")), UInt16(UInt8(ascii: "+")):
                guard !isModified, let last = tokens.indices.last else { return nil }
                tokens[last].minimum = unit == UInt16(UInt8(ascii: "+")) ? 1 : 0
                tokens[last].maximum = .max
                isModified = true
            case UInt16(UInt8(ascii: ".")):
                tokens.append(Token(unit: nil))
                isModified = false
            case UInt16(UInt8(ascii: "\\")):
                place += 1
                guard place < pattern.count else { return nil }
                tokens.append(Token(unit: pattern[place]))
                isModified = false
            default:
                tokens.append(Token(unit: unit))
                isModified = false
            }
            place += 1
        }
    }

    /// Returns whether the tokens match the whole of a text.
    func matches(_ text: [UInt16]) -> Bool {
        var position = 0
        for token in tokens {
            var count = 0
            while count < token.maximum, position < text.count, token.unit == nil || token.unit == text[position] {
                count += 1
                position += 1
            }
            if count < token.minimum { return false }
        }
        return position == text.count
    }
}
