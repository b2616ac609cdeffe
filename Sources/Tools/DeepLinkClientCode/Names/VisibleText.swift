/// The escaping of invisible characters in a catalog's texts, which a reader or a terminal could interpret.
enum VisibleText {
    /// Escapes controls, direction marks and other invisible characters, as `\u{202E}`; a tab becomes a space.
    ///
    /// Joiners and non-joiners stay: scripts and emoji need them, and they move nothing (Unicode Standard §23.2).
    static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text {
            switch scalar {
            case "\t": escaped.append(" ")
            case "\u{200C}", "\u{200D}": escaped.append(scalar)
            case _ where isVisible(scalar): escaped.append(scalar)
            default: escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
            }
        }
        return String(escaped)
    }

    /// Returns whether a scalar is visible or a space.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }
}
