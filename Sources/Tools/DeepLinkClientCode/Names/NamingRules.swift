/// The naming rules of a language: the case styles and the reserved names.
struct NamingRules {
    /// One kind of named thing.
    struct Scope {
        /// The case style of its names, or `nil` if names are copied from the catalog in quotation marks.
        let style: IdentifierCase?

        /// The names that have another meaning there.
        let reserved: Set<String>
    }

    /// The language's name, for messages.
    let language: String

    /// Routes: cases of an enum, classes of a sealed interface.
    let routes: Scope

    /// Parameters and fields: members of a type.
    let members: Scope

    /// The types of parameters that are enumerations or objects, named after the parameter.
    let types: Scope

    /// The words of an enumeration.
    let words: Scope

    /// The class files of the types, or `nil` if the language doesn't have them.
    var classFiles: ClassFiles?
}

extension NamingRules {
    private static let swiftKeywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The names of Swift, its library, and the runtime that generated code uses.
    static let swiftTypes: Set<String> = [
        "Any", "Array", "Bool", "CaseIterable", "Double", "Hashable", "Int", "NavigationBranch", "NavigationNode",
        "NavigationState", "NavigationStep", "Optional", "ParameterContainer", "ParameterError", "PendingLink",
        "Protocol", "Recognized", "RoutePlan", "Self", "Sendable", "String", "Swift", "TransitionMismatch", "Type",
        "URLSessionTransport", "UnrecognizedRoute", "WaymarkAnswer", "WaymarkClient", "WaymarkDate",
        "WaymarkDateTime", "WaymarkDenial", "WaymarkDestination", "WaymarkJSON", "WaymarkNavigator", "WaymarkOtherApp",
        "WaymarkOutcome",
        "WaymarkParameterValue", "WaymarkPlace", "WaymarkPresentation", "WaymarkProblem", "WaymarkRequest",
        "WaymarkResponse", "WaymarkRoute", "WaymarkStack", "WaymarkTransition", "WaymarkTransport", "WaymarkUUID",
        "WaymarkUpdate",
    ]

    /// The rules of Swift.
    static let swift = NamingRules(
        language: "Swift",
        routes: Scope(
            style: .lowerCamel,
            reserved: swiftKeywords.union(["catalogVersion", "hash", "hashValue", "name", "parameters"])
        ),
        members: Scope(
            style: .lowerCamel,
            reserved: swiftKeywords.union(["await", "container", "hash", "hashValue", "json"])
        ),
        types: Scope(style: .upperCamel, reserved: swiftTypes),
        words: Scope(
            style: .lowerCamel,
            reserved: swiftKeywords.union(["allCases", "hash", "hashValue", "json", "rawValue"])
        )
    )

    /// The names of TypeScript, its library, and the runtime that generated code uses.
    static let typeScriptTypes: Set<String> = ["JSONValue", "RouteSpecs", "RouteTable"]

    /// The rules of TypeScript: all names of the catalog are in quotation marks, except for the types of parameters.
    static let typeScript = NamingRules(
        language: "TypeScript",
        routes: Scope(style: .upperCamel, reserved: []),
        members: Scope(style: nil, reserved: ["__proto__"]),
        types: Scope(style: nil, reserved: []),
        words: Scope(style: nil, reserved: [])
    )

    static let kotlinKeywords: Set<String> = [
        "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
        "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var",
        "when", "while",
    ]

    /// The names of Kotlin's library and of the runtime that generated code uses.
    static let kotlinTypes: Set<String> = [
        "Any", "Boolean", "Companion", "Double", "Enum", "List", "Long", "Map", "NavigationBranch", "NavigationNode",
        "NavigationState", "NavigationStep", "Parameters", "PendingLink", "Recognized", "RoutePlan", "RouteTable",
        "String", "TransitionMismatch", "Unit", "UnrecognizedRoute", "WaymarkAnswer", "WaymarkAnsweredBy",
        "WaymarkBundle", "WaymarkClient", "WaymarkDate", "WaymarkDateTime", "WaymarkDenial", "WaymarkDestination",
        "WaymarkEngine", "WaymarkEngineTransport", "WaymarkHttp", "WaymarkJson", "WaymarkLibrary", "WaymarkNavigator",
        "WaymarkObject", "WaymarkOtherApp", "WaymarkOutcome", "WaymarkPresentation", "WaymarkProblem", "WaymarkRequest",
        "WaymarkResponse", "WaymarkRoute", "WaymarkTransition", "WaymarkTransport", "WaymarkUpdate", "WaymarkUuid",
        "WaymarkWord",
    ]

    /// Returns the rules of Kotlin, for the name of the type of all routes.
    static func kotlin(_ name: String) -> NamingRules {
        NamingRules(
            language: "Kotlin",
            routes: Scope(style: .upperCamel, reserved: kotlinTypes.union([name])),
            members: Scope(
                style: .lowerCamel,
                reserved: kotlinKeywords.union(["copy", "equals", "hashCode", "routeName", "toParameters", "toString"])
            ),
            types: Scope(style: .upperCamel, reserved: kotlinTypes.union([name])),
            words: Scope(style: .upperSnake, reserved: []),
            classFiles: ClassFiles(outerName: name)
        )
    }
}

/// The class files for the Java virtual machine, one for each class, named after the class and its enclosing classes.
struct ClassFiles {
    /// The maximum length of a file name in common file systems, in bytes (`NAME_MAX` of Linux, and 255 units in APFS
    /// and NTFS).
    static let maximumLength = 255

    /// The bytes that compilers add to the names, such as `$Companion$read$12.class`.
    private static let room = 32

    /// The name of the type that contains all others.
    let outerName: String

    /// Returns the length of the longest file name of a class nested in others: `AppRoute$Product$Size`.
    func length(of names: [String]) -> Int {
        names.reduce(outerName.utf8.count) { $0 + 1 + $1.utf8.count } + Self.room
    }
}

/// The escaping of invisible characters in a catalog's texts, so that they can't mislead a reader or a terminal.
enum VisibleText {
    /// Escapes controls, direction marks and other invisible characters as `\u{202E}`, and replaces a tab with a space.
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
