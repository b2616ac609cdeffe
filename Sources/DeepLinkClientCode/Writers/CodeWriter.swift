/// Lines of code, indented.
struct CodeWriter {
    private(set) var text = ""
    private var depth = 0

    /// Writes a line at the depth of the blocks that are open; an empty one has no spaces.
    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            for _ in 0..<depth { text += "    " }
            text += line
        }
        text += "\n"
    }

    /// Writes a block: a line, what `body` writes one step deeper, and its end.
    mutating func block(_ start: String, end: String = "}", _ body: (inout CodeWriter) -> Void) {
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

    /// Writes a comment of the language, each line after a mark; whatever could end it, or could look like other code than it
    /// is, is left out.
    mutating func comment(_ text: String, mark: String) {
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: true) { scalar in
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: true
            default: scalar.value == 0x0A || scalar.value == 0x0D || scalar.value == 0x85
            }
        }
        for line in lines {
            let visible = line.filter { ![.control, .format, .privateUse].contains($0.properties.generalCategory) }
            let safe = String(String.UnicodeScalarView(visible)).replacing("*/", with: "* /")
            self.line(safe.isEmpty ? mark : "\(mark) \(safe)")
        }
    }
}

/// The texts of a catalog as literals of a language.
enum TextLiteral {
    /// A literal of Swift.
    static func swift(_ text: String) -> String {
        quoted(text) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// A literal of TypeScript, which is one of JSON.
    static func typeScript(_ text: String) -> String { quoted(text, units) }

    /// A literal of Kotlin, where a dollar sign begins a template.
    static func kotlin(_ text: String) -> String {
        quoted(text.replacing("$", with: "\u{0}"), units).replacing("\\u0000", with: "\\$")
    }

    /// Puts a text into quotation marks; `escape` writes what could not be seen.
    private static func quoted(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                    literal += escape(scalar)
                default: literal.unicodeScalars.append(scalar)
                }
            }
        }
        return literal + "\""
    }

    /// Escapes the units of UTF-16.
    private static func units(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16
            .map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
    }
}
