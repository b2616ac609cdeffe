extension LinkSyntaxError {
    /// Returns the number of bytes that break the rule, from ``offset`` on, or 0 if something is missing there.
    ///
    /// The number is computed on demand, so that the parser records only an offset.
    package func length(in text: [UInt8]) -> Int {
        let rest = text.dropFirst(offset)
        guard let first = rest.first else { return 0 }
        switch reason {
        case .empty, .emptyPath, .missingHost: return 0
        case .tooLong, .opaquePath: return rest.count
        case .backslash, .surroundingSpace, .userinfo: return 1
        case .noScheme, .badHost, .badUTF8, .controlCharacter: return Self.characterCount(rest)
        case .badPercent:
            return 1 + rest.dropFirst().prefix(2).prefix { !Self.endsSegment($0) && $0 != ASCII.percent }.count
        case .ipHost, .badPort, .dotSegment:
            return first == ASCII.slash ? 0 : rest.prefix { !Self.endsSegment($0) }.count
        }
    }

    private static func endsSegment(_ byte: UInt8) -> Bool {
        byte == ASCII.slash || byte == ASCII.question || byte == ASCII.hash
    }

    /// Returns the byte count of the first character, all raw or all escaped (3 for each escape), complete or not.
    private static func characterCount(_ text: ArraySlice<UInt8>) -> Int {
        var codes: [UInt8] = []
        var rest = text
        let isEscaped = text.first == ASCII.percent
        while let byte = rest.first, codes.count < 4 {
            guard isEscaped else {
                codes.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.dropFirst().prefix(2).compactMap { ASCII.hexValue($0) }
            guard byte == ASCII.percent, digits.count == 2 else { break }
            codes.append(digits[0] << 4 | digits[1])
            rest = rest.dropFirst(3)
        }
        let expected =
            switch codes.first ?? 0 {
            case 0xC0...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xFF: 4
            default: 1
            }
        // A character is truncated if a continuation byte is missing (RFC 3629 §3).
        let count = 1 + codes.dropFirst().prefix(expected - 1).prefix { 0x80...0xBF ~= $0 }.count
        return isEscaped ? 3 * count : count
    }
}
