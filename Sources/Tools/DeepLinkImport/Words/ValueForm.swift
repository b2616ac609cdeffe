import DeepLinkCore

/// The form of a text in a path or a query: a number, an identifier, or a word that may be part of the path itself.
package enum ValueForm: Int, CaseIterable, Sendable {
    /// A canonical whole number.
    case int

    /// A decimal number.
    case double

    /// 32 hexadecimal digits with dashes between them (RFC 9562).
    case uuid

    /// A day.
    case date

    /// A date with a time.
    case dateTime

    /// A text that is neither a word nor one of the other types, such as `aG4x90`, `ann@example.org` or `été`.
    case opaque

    /// Letters, possibly with digits, hyphens, dots, underscores and colons, as the literals of paths are written.
    case word

    /// The longest word in bytes.
    private static let maximumWordByteCount = 48

    /// Determines the form of a decoded text.
    package init(_ text: String) {
        let bytes = text.utf8
        switch bytes.first {
        case let first? where ASCII.isDigit(first) || first == UInt8(ascii: "-"): self = Self.ofNumber(text)
        case let first? where ASCII.isLetter(first) || first == UInt8(ascii: "_"):
            self = Self.isUUID(text) ? .uuid : Self.isWord(bytes) ? .word : .opaque
        default: self = .opaque
        }
    }

    /// The type of a parameter whose values all have the form.
    var type: ScalarType {
        switch self {
        case .int: .int(min: nil, max: nil)
        case .double: .double(min: nil, max: nil)
        case .uuid: .uuid
        case .date: .date
        case .dateTime: .dateTime
        case .opaque, .word: .string(min: nil, max: nil, pattern: nil)
        }
    }

    /// The form as a catalog names it.
    var name: String { type.name }

    private static func ofNumber(_ text: String) -> ValueForm {
        let typed: [ValueForm] = [.int, .double, .date, .uuid, .dateTime]
        if let form = typed.first(where: { $0.type.value(of: text) != nil }) { return form }
        // A dash alone sets pages apart from names. `2fa` and `404-page` are words, `12ab34` and `007` are not.
        if text.bytewise == "-" { return .word }
        let rest = text.utf8.drop(while: ASCII.isDigit)
        return text.utf8.count - rest.count == 1 && isWord(rest) ? .word : .opaque
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36 && ValueForm.uuid.type.value(of: text) != nil
    }

    /// Returns whether a text could be the literal of a path.
    ///
    /// Two digits in a row after a letter, or several changes between letters and digits, are of identifiers. So is a
    /// host behind a colon.
    private static func isWord(_ bytes: some Sequence<UInt8>) -> Bool {
        var (count, digitRun, changes, last, hasColon) = (0, 0, 0, UInt8(0), false)
        for byte in bytes {
            count += 1
            if ASCII.isDigit(byte) {
                digitRun += 1
                if ASCII.isLetter(last) { changes += 1 }
                guard digitRun < 2 || changes == 0 else { return false }
            } else {
                if byte == UInt8(ascii: ":") { hasColon = true }
                guard !hasColon || byte != UInt8(ascii: ".") else { return false }
                guard ASCII.isLetter(byte) || "-._~:".utf8.contains(byte) else { return false }
                if ASCII.isDigit(last), ASCII.isLetter(byte) { changes += 1 }
                digitRun = 0
            }
            guard changes < 3, count <= maximumWordByteCount else { return false }
            last = byte
        }
        return count > 0
    }
}

/// The sign with which a value begins, as in `@ann` and `!room:example.org`.
struct ValueSign {
    /// The sign.
    let byte: UInt8

    /// Returns the sign of a text that goes on behind it, or `nil` if it begins otherwise.
    init?(_ text: String) {
        guard let first = text.utf8.first, text.utf8.count > 1, "@!$+~".utf8.contains(first) else { return nil }
        byte = first
    }
}

/// A hash of texts that is the same in every run, unlike the standard library's.
enum StableHash {
    /// Returns the FNV-1a hash of a text, with its bits mixed.
    static func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash ^= hash >> 32
        hash &*= 0xD6E8_FEB8_6659_FD93
        return hash ^ hash >> 32
    }
}
