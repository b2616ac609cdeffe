/// The writer of a catalog's levels: an ordered type, and typed properties of plans, denials and gates.
///
/// A level that the app doesn't know is missing from the typed properties. The untyped ones still have its name.
struct LevelWriter {
    private let words: WordType
    private let options: GenerationOptions

    /// The name of the type.
    private var type: String { words.name }

    init(_ levels: [NamedWord], options: GenerationOptions) {
        words = WordType(name: options.levelName, noun: "level", order: "the lowest first", words: levels)
        self.options = options
    }

    // MARK: Swift

    func writeSwift(to code: inout CodeWriter) {
        let access = options.access == .public ? "public " : ""
        words.writeSwift(access: access, protocols: "Comparable, Sendable", to: &code) { code in
            code.line()
            code.line("/// Orders the lower level first.")
            code.block("\(access)static func < (left: Self, right: Self) -> Bool {") { code in
                code.line("left != right && allCases.first { $0 == left || $0 == right } == left")
            }
        }
        let route = options.name
        writeSwiftLevels(
            of: "RoutePlan where Route == \(route)",
            access: access,
            to: &code,
            [
                (
                    "required\(type)", "The level that the stack requires",
                    "authorizationLevel.flatMap { \(type)(rawValue: $0.required) }"
                ),
                (
                    "user\(type)", "The level that the user has",
                    "authorizationLevel.flatMap { \(type)(rawValue: $0.user) }"
                ),
            ]
        )
        writeSwiftLevels(
            of: "WaymarkDenial where Route == \(route)",
            access: access,
            to: &code,
            [
                ("required\(type)", "The level that the link requires", "\(type)(rawValue: requiredLevel)"),
                ("user\(type)", "The level that the user has", "\(type)(rawValue: userLevel)"),
            ]
        )
        writeSwiftLevels(
            of: "WaymarkDenial.Gate where Route == \(route)",
            access: access,
            to: &code,
            [
                (words.variable, "The level that a user obtains there", "level.flatMap { \(type)(rawValue: $0) }")
            ]
        )
    }

    private func writeSwiftLevels(
        of extended: String,
        access: String,
        to code: inout CodeWriter,
        _ properties: [(name: String, comment: String, value: String)]
    ) {
        code.line()
        code.block("nonisolated extension \(extended) {") { code in
            for (place, property) in properties.enumerated() {
                if place > 0 { code.line() }
                code.line("/// \(property.comment), or `nil` if this version of the app doesn't know it.")
                code.line("\(access)var \(property.name): \(type)? { \(property.value) }")
            }
        }
    }

    // MARK: Kotlin

    func writeKotlin(to code: inout CodeWriter) {
        let access = options.access == .internal ? "internal " : ""
        words.writeKotlin(access: access, to: &code)
        let route = options.name
        for (comment, receiver, name, value) in [
            ("level that the stack requires", "RoutePlan<\(route)>", "required\(type)", "requiredLevel"),
            ("level that the user has", "RoutePlan<\(route)>", "user\(type)", "userLevel"),
            ("level that the link requires", "WaymarkDenial<\(route)>", "required\(type)", "requiredLevel"),
            ("level that the user has", "WaymarkDenial<\(route)>", "user\(type)", "userLevel"),
            ("level that a user obtains there", "WaymarkDenial.Gate<\(route)>", words.variable, "level"),
        ] {
            code.line()
            code.line("/** The \(comment), or `null` if this version of the app doesn't know it. */")
            code.line("\(access)val \(receiver).\(name): \(type)? get() = \(type).of(\(value))")
        }
    }

    // MARK: TypeScript

    func writeTypeScript(to code: inout CodeWriter) {
        words.writeTypeScript(to: &code)
        code.line()
        code.line("/** Compares two levels: the result is negative if the first is lower, and 0 if they are equal. */")
        code.block("export function compare\(type)s(left: \(type), right: \(type)): number {") { code in
            code.line("return \(words.variable)s.indexOf(left) - \(words.variable)s.indexOf(right);")
        }
    }
}
