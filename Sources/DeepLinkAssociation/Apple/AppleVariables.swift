import DeepLinkCore
import DeepLinkFormats

/// The substitution variables of a file: its own, and those that Apple's systems know.
struct AppleVariables {
    private var own: [ByteText: [[ApplePatternElement]]] = [:]

    private static let regions = values(AppleLocaleCodes.regions)
    private static let languages = values(AppleLocaleCodes.languages)

    /// Reads `substitutionVariables`; what is no list, and items that are no texts, are left out.
    init(_ value: JSONValue?) {
        guard case .object(let members)? = value else { return }
        for (name, value) in members {
            guard case .array(let items) = value else { continue }
            own[name] = items.compactMap { item in
                // A value may have wildcards, and no variables of its own.
                if case .string(let text) = item { ApplePatternParser.elements(of: text, variables: nil) } else { nil }
            }
        }
    }

    /// What stands for a name; a file's own variable hides one of the system's.
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
