import DeepLinkCore
import DeepLinkFormats

/// The substitution variables of a file: its own, and those built into Apple's systems.
struct AppleVariables {
    private var own: [ByteText: [[ApplePatternElement]]] = [:]

    private static let regions = values(AppleLocaleCodes.regions)
    private static let languages = values(AppleLocaleCodes.languages)

    /// Reads `substitutionVariables`; values that aren't lists, and items that aren't strings, are ignored.
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

    /// Returns the value of a variable; the file's own variables hide built-in ones.
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
