/// A check of a stream of bytes for well-formed UTF-8 without C1 controls, one byte at a time.
///
/// The check follows the table of RFC 3629 §4: overlong forms, surrogates and values over U+10FFFF are faults.
/// Validating as the parser walks saves a second pass and a copy of the decoded text.
struct UTF8Validator {
    /// The verdict on a byte, given the ones before it.
    enum Verdict {
        case accepted
        case malformed
        case controlCharacter
    }

    private var pending: UInt8 = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF
    private var leadsControl = false

    /// Whether the bytes so far end with a whole character.
    var isComplete: Bool { pending == 0 }

    /// Validates one byte outside ASCII, or one inside ASCII that must not interrupt a character.
    mutating func take(_ byte: UInt8) -> Verdict {
        if pending > 0 {
            guard byte >= lower, byte <= upper else { return .malformed }
            if leadsControl, byte < 0xA0 { return .controlCharacter }
            leadsControl = false
            pending &-= 1
            lower = 0x80
            upper = 0xBF
            return .accepted
        }
        switch byte {
        case 0x00..<0x20, 0x7F: return .controlCharacter
        case 0x20..<0x7F: return .accepted
        case 0xC2..<0xE0:
            pending = 1
            leadsControl = byte == 0xC2
        case 0xE0..<0xF0:
            pending = 2
            if byte == 0xE0 { lower = 0xA0 }
            if byte == 0xED { upper = 0x9F }
        case 0xF0..<0xF5:
            pending = 3
            if byte == 0xF0 { lower = 0x90 }
            if byte == 0xF4 { upper = 0x8F }
        default: return .malformed
        }
        return .accepted
    }
}
