/// Text in XML.
package enum XMLText {
    /// Escapes a text for an attribute or an element; characters that XML cannot have (XML 1.0 §2.2) become U+FFFD,
    /// and those that would steer a terminal are references.
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
