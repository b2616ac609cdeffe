import DeepLinkCore

/// A JSON text, converted for a YAML parser.
///
/// Nearly all JSON is YAML, but a few characters that are valid in JSON strings are line breaks or invalid in YAML 1.1
/// (§5.1, §5.4), and escaped surrogate pairs are valid in JSON alone.
struct JSONText {
    /// The text with such characters escaped so that both formats read them alike.
    ///
    /// It is the original text if that isn't a JSON object, or has no such characters.
    let yaml: [UInt8]

    /// The columns of the converted text in the original text.
    let columns: ColumnShifts

    /// Converts a text, in linear time.
    init(_ bytes: [UInt8]) {
        guard Self.isObject(bytes) else {
            (yaml, columns) = (bytes, .none)
            return
        }
        var result: [UInt8] = []
        var columns = ColumnShifts.none
        var characterCount = 0
        var copied = 0
        var index = 0
        while index < bytes.count {
            guard let (count, replacement) = Self.unusual(bytes[index...]) else {
                // Skip an escaped character: it cannot begin another sequence.
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                continue
            }
            let (before, replaced) = (bytes[copied..<index], bytes[index..<index + count])
            result += before
            result += replacement
            characterCount += Self.characterCount(before) + Self.characterCount(replacement)
            columns.append(
                endingAt: characterCount,
                growth: Self.characterCount(replacement) - Self.characterCount(replaced)
            )
            index += count
            copied = index
        }
        yaml = copied == 0 ? bytes : result + bytes[min(copied, bytes.count)...]
        self.columns = columns
    }

    /// Returns whether a text begins like a JSON object with a member.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(64).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return start.first == UInt8(ascii: "{") && start.dropFirst().first { $0 > 0x20 } == UInt8(ascii: "\"")
    }

    /// Returns the number of Unicode scalars in UTF-8: all bytes except continuation bytes (RFC 3629 §3).
    private static func characterCount(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.count { $0 & 0xC0 != 0x80 }
    }

    /// Returns the replacement of the text's beginning, if it needs one, and the number of bytes that it replaces.
    private static func unusual(_ text: ArraySlice<UInt8>) -> (count: Int, replacement: [UInt8])? {
        guard let first = text.first else { return nil }
        switch first {
        case 0x7F: return (1, Array("\\u007f".utf8))
        case 0xC2:
            guard let second = text.dropFirst().first, 0x80..<0xA0 ~= second else { return nil }
            return (2, escape(UInt32(second)))
        case 0xE2 where text.starts(with: [0xE2, 0x80, 0xA8]): return (3, escape(0x2028))
        case 0xE2 where text.starts(with: [0xE2, 0x80, 0xA9]): return (3, escape(0x2029))
        case 0xEF where text.starts(with: [0xEF, 0xBB, 0xBF]): return (3, escape(0xFEFF))
        case 0xEF where text.starts(with: [0xEF, 0xBF, 0xBE]): return (3, escape(0xFFFE))
        case 0xEF where text.starts(with: [0xEF, 0xBF, 0xBF]): return (3, escape(0xFFFF))
        case UInt8(ascii: "\\"): return surrogates(text) ?? escapedBreak(text)
        default: return nil
        }
    }

    private static func escape(_ code: UInt32) -> [UInt8] {
        let digits = String(code, radix: 16)
        return Array(("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
    }

    /// Decodes two escapes of six characters into the one character that they encode (RFC 8259 §7).
    private static func surrogates(_ text: ArraySlice<UInt8>) -> (count: Int, replacement: [UInt8])? {
        guard let high = code(text), 0xD800..<0xDC00 ~= high, let low = code(text.dropFirst(6)),
            0xDC00..<0xE000 ~= low, let scalar = UnicodeScalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (12, Array(String(Character(scalar)).utf8))
    }

    /// Replaces an escaped line break that only YAML 1.1 has by an escape that neither format has, so that it stays an
    /// error.
    private static func escapedBreak(_ text: ArraySlice<UInt8>) -> (count: Int, replacement: [UInt8])? {
        guard let first = text.dropFirst().first, first >= 0x80 else { return nil }
        return switch Array(text.dropFirst().prefix(3)) {
        case [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9]: (4, Array("\\?".utf8))
        case let bytes where bytes.starts(with: [0xC2, 0x85]): (3, Array("\\?".utf8))
        default: nil
        }
    }

    private static func code(_ text: ArraySlice<UInt8>) -> UInt32? {
        guard text.starts(with: Array("\\u".utf8)) else { return nil }
        let digits = text.dropFirst(2).prefix(4)
        guard digits.count == 4 else { return nil }
        return digits.reduce(0 as UInt32?) { sum, digit in
            guard let sum, let value = ASCII.hexValue(digit) else { return nil }
            return sum << 4 | UInt32(value)
        }
    }
}
