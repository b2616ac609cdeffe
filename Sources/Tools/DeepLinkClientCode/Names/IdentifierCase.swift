/// A case style that joins several words into one identifier.
enum IdentifierCase {
    /// `likeThis`.
    case lowerCamel

    /// `LikeThis`.
    case upperCamel

    /// `LIKE_THIS`.
    case upperSnake

    /// Returns an identifier for a catalog's name, or `nil` if the name isn't ASCII or doesn't begin with a letter, as
    /// in `élan` or `2fa`.
    func identifier(of name: String) -> String? {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = Self.words(of: name)
        guard let first = words.first?.utf8.first, Self.isLetter(first) else { return nil }
        switch self {
        case .lowerCamel: return words[0].lowercased() + words.dropFirst().map(Self.capitalized).joined()
        case .upperCamel: return words.map(Self.capitalized).joined()
        case .upperSnake: return words.map { $0.uppercased() }.joined(separator: "_")
        }
    }

    /// Splits a name at other characters than letters and digits, and before capitals: `QRCode_list` is `QR`, `Code`,
    /// `list`.
    private static func words(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var words: [[UInt8]] = [[]]
        for (index, byte) in bytes.enumerated() {
            guard isLetter(byte) || isDigit(byte) else {
                words.append([])
                continue
            }
            let before = index > 0 ? bytes[index - 1] : 0
            let after = index + 1 < bytes.count ? bytes[index + 1] : 0
            if isCapital(byte), !isCapital(before), isLetter(before) || isDigit(before) || isSmall(after) {
                words.append([])
            } else if isCapital(byte), isCapital(before), isSmall(after) {
                words.append([])
            }
            words[words.count - 1].append(byte)
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }

    /// Returns whether a text is a valid identifier.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { isSmall(byte) || isCapital(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
