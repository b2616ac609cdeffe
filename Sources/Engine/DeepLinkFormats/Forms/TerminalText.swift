/// Untrusted text, escaped for a terminal: it cannot move the cursor, change colors, or reverse the direction of
/// writing.
package enum TerminalText {
    /// Returns whether a character controls a terminal or the direction of writing: a control character of C0 or C1
    /// (ECMA-48 §5), DEL, or a bidirectional control (UAX #9 §2).
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns the text as one line, with such characters escaped as in Swift: `\u{1B}`, `\n`.
    package static func line(_ text: String) -> String {
        escaped(text, where: isControl) { $0.escaped(asASCII: true) }
    }

    /// Returns the text as several lines, keeping its line feeds.
    package static func document(_ text: String) -> String {
        escaped(text, where: { isControl($0) && $0.value != 0x0A }, by: { $0.escaped(asASCII: true) })
    }

    /// Returns equivalent JSON with all characters escaped that a terminal could act on (RFC 8259 §7), keeping its
    /// lines.
    package static func json(_ text: String) -> String {
        escaped(text) {
            isControl($0) && $0.value >= 0x7F
        } by: { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
    }

    private static func escaped(
        _ text: String,
        where isEscaped: (Unicode.Scalar) -> Bool,
        by escape: (Unicode.Scalar) -> String
    ) -> String {
        // Most text is plain, and needs no escaping.
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isEscaped(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

/// Text escaped for XML.
package enum XMLText {
    /// Escapes a text for an attribute or an element.
    ///
    /// Characters that XML does not allow (XML 1.0 §2.2) become U+FFFD, and characters that would control a terminal
    /// become references.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}"..."\u{FFFF}": escaped += "\u{FFFD}"
            case _ where TerminalText.isControl(scalar): escaped += "&#x\(String(scalar.value, radix: 16));"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
