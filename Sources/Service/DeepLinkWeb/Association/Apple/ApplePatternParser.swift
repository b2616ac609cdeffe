/// The parser of Apple's patterns: `*`, `?`, and `$(name)` for a variable; there is no escape character.
enum ApplePatternParser {
    /// Reads a pattern; `$(` is literal without variables, or if no `)` follows.
    ///
    /// - Complexity: linear in the pattern.
    static func elements(of pattern: String, variables: AppleVariables?) -> [ApplePatternElement] {
        var elements: [ApplePatternElement] = []
        var rest = Substring(pattern).unicodeScalars
        // After one missing `)`, no later one can exist, so the search isn't repeated.
        var mayEnd = true
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": elements.append(.anything)
            case "?": elements.append(.any)
            case "$":
                guard let variables, mayEnd, rest.first?.value == 0x28 else {
                    elements.append(.character(scalar))
                    continue
                }
                guard let end = rest.firstIndex(where: { $0.value == 0x29 }) else {
                    mayEnd = false
                    elements.append(.character(scalar))
                    continue
                }
                elements.append(variables.element(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            default: elements.append(.character(scalar))
            }
        }
        return elements
    }
}
