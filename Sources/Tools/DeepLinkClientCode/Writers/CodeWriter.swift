/// A writer of indented lines of code.
struct CodeWriter {
    private(set) var text = ""
    private var depth = 0

    /// Writes a line at the depth of the open blocks, without spaces if it is empty.
    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            for _ in 0..<depth { text += "    " }
            text += line
        }
        text += "\n"
    }

    /// Writes a block: a line, the lines of `body` one level deeper, and its end.
    mutating func block(_ start: String, end: String = "}", body: (inout CodeWriter) -> Void) {
        line(start)
        self.body(end: end, body)
    }

    /// Writes the rest of a block, after its first line.
    mutating func body(end: String, _ body: (inout CodeWriter) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
        line(end)
    }

    /// Writes a comment of the language, with a mark before each line.
    ///
    /// Sequences that could end the comment or begin a nested one are split, and characters that could disguise code
    /// are escaped.
    mutating func comment(_ text: String, mark: String) {
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: true) { scalar in
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: true
            default: scalar.value == 0x0A || scalar.value == 0x0D || scalar.value == 0x85
            }
        }
        for line in lines {
            let safe = Self.withoutMarks(VisibleText.escaped(line))
            self.line(safe.isEmpty ? mark : "\(mark) \(safe)")
        }
    }

    /// Inserts a space between a star and a slash, in either order.
    ///
    /// One order begins a comment and the other ends it, and comments nest in Kotlin (Kotlin language specification,
    /// §1.2.1).
    private static func withoutMarks(_ text: String) -> String {
        var apart = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch (apart.last, scalar) {
            case ("*", "/"), ("/", "*"): apart.append(" ")
            default: break
            }
            apart.append(scalar)
        }
        return String(apart)
    }
}

/// The conversion of a catalog's texts into literals.
enum TextLiteral {
    /// Returns a Swift literal.
    static func swift(_ text: String) -> String {
        quoted(text) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// Returns a TypeScript literal in the syntax of JSON.
    static func typeScript(_ text: String) -> String { quoted(text, escape: units) }

    /// Returns a Kotlin literal, in which a dollar sign begins a template.
    static func kotlin(_ text: String) -> String {
        quoted(text.replacing("$", with: "\u{0}"), escape: units).replacing("\\u0000", with: "\\$")
    }

    /// Returns a text in quotation marks.
    ///
    /// `escape` writes invisible characters.
    private static func quoted(_ text: String, escape: (Unicode.Scalar) -> String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case _ where VisibleText.isVisible(scalar): literal.unicodeScalars.append(scalar)
            default: literal += escape(scalar)
            }
        }
        return literal + "\""
    }

    /// Returns the escapes of a scalar's UTF-16 units.
    private static func units(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16
            .map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
    }
}
