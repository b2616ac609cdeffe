import DeepLinkCore
import DeepLinkFormats

/// One part of a pattern of an Apple rule.
enum ApplePatternElement: Sendable {
    /// A literal character.
    case character(Unicode.Scalar)

    /// One character of a class, the value of a built-in variable.
    case oneOf(AppleCharacterClass)

    /// Any one character.
    case any

    /// Any characters, or none.
    case anything

    /// One of the values of a variable.
    case values([[ApplePatternElement]])

    /// An element that matches nothing: the value of a variable that doesn't exist.
    case nothing
}

/// The built-in variables of one character.
enum AppleCharacterClass: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit

    /// Returns whether a character, or its other case if case is ignored, is in the class.
    func contains(_ scalar: Unicode.Scalar, caseSensitive: Bool) -> Bool {
        let isUpper = ("A"..."Z").contains(scalar)
        let isLower = ("a"..."z").contains(scalar)
        let isDigit = ("0"..."9").contains(scalar)
        return switch self {
        case .alpha: isUpper || isLower
        case .upper: isUpper || (!caseSensitive && isLower)
        case .lower: isLower || (!caseSensitive && isUpper)
        case .alnum: isUpper || isLower || isDigit
        case .digit: isDigit
        case .xdigit: isDigit || ("A"..."F").contains(scalar) || ("a"..."f").contains(scalar)
        }
    }
}

/// The parser of Apple's patterns: `*`, `?`, and `$(name)` for a variable, without an escape character.
enum ApplePatternParser {
    /// Parses a pattern.
    ///
    /// Without variables, or without a following `)`, `$(` is literal.
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

/// The substitution variables of a file: its own, and those built into Apple's systems.
struct AppleVariables {
    private var own: [ByteText: [[ApplePatternElement]]] = [:]

    private static let regions = values(AppleLocaleCodes.regions)
    private static let languages = values(AppleLocaleCodes.languages)

    /// Reads `substitutionVariables`.
    ///
    /// Values that aren't lists, and items that aren't strings, are ignored.
    init(_ value: JSONValue?) {
        guard case .object(let members)? = value else { return }
        for (name, value) in members {
            guard case .array(let items) = value else { continue }
            own[name] = items.compactMap { item in
                // A value may have wildcards, but no variables.
                if case .string(let text) = item { ApplePatternParser.elements(of: text, variables: nil) } else { nil }
            }
        }
    }

    /// Returns the value of a variable.
    ///
    /// The file's own variables hide built-in ones.
    func element(_ name: String) -> ApplePatternElement {
        if let values = own[name.bytewise] { return values.isEmpty ? .nothing : .values(values) }
        if let characters = AppleCharacterClass(bytewise: name) { return .oneOf(characters) }
        return switch name.bytewise {
        case "region": .values(Self.regions)
        case "lang": .values(Self.languages)
        default: .nothing
        }
    }

    private static func values(_ codes: String) -> [[ApplePatternElement]] {
        codes.split(separator: " ").map { $0.unicodeScalars.map { .character($0) } }
    }
}
