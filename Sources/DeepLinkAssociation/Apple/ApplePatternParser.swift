/// The parser of Apple's patterns: `*`, `?`, and `$(name)` for a variable; nothing can be escaped.
enum ApplePatternParser {
    /// Reads a pattern; without variables, `$(` stands for itself, and so it does where no `)` follows.
    static func elements(of pattern: String, variables: AppleVariables?) -> [ApplePatternElement] {
        var elements: [ApplePatternElement] = []
        var rest = Substring(pattern).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": elements.append(.anything)
            case "?": elements.append(.any)
            case "$":
                guard let variables, rest.first?.value == 0x28, let end = rest.firstIndex(where: { $0.value == 0x29 })
                else {
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
