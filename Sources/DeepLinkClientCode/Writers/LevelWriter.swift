/// The levels of a catalog in code: a type in their order, and the levels of plans, denials and gates as its values.
///
/// A level that the app doesn't know has no value; its name is where it was before.
struct LevelWriter {
    private let levels: [NamedWord]
    private let options: GenerationOptions

    /// The name of the type.
    private var type: String { options.levelName }

    init(_ levels: [NamedWord], options: GenerationOptions) {
        self.levels = levels
        self.options = options
    }

    // MARK: Swift

    func writeSwift(to code: inout CodeWriter) {
        let access = options.access == .public ? "public " : ""
        code.line()
        code.line("/// The levels of users, the lowest first.")
        code.block("\(access)nonisolated enum \(type): String, CaseIterable, Comparable, Sendable {") { code in
            for level in levels { code.line("case \(level.identifier) = \(TextLiteral.swift(level.word))") }
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
                (variable, "The level that a user obtains there", "level.flatMap { \(type)(rawValue: $0) }")
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
                code.line("/// \(property.comment); `nil` if this version of the app doesn't know it.")
                code.line("\(access)var \(property.name): \(type)? { \(property.value) }")
            }
        }
    }

    // MARK: Kotlin

    func writeKotlin(to code: inout CodeWriter) {
        let access = options.access == .internal ? "internal " : ""
        code.line()
        code.line("/** The levels of users, the lowest first. */")
        code.block("\(access)enum class \(type)(override val word: String) : WaymarkWord {") { code in
            for (place, level) in levels.enumerated() {
                let end = place == levels.count - 1 ? ";" : ","
                code.line("\(level.identifier)(\(TextLiteral.kotlin(level.word)))\(end)")
            }
            code.line()
            code.block("companion object {") { code in
                code.line("/** Returns the level of a name; `null` if this version of the app doesn't know it. */")
                code.line("fun of(name: String?): \(type)? = entries.firstOrNull { it.word == name }")
            }
        }
        let route = options.name
        for (comment, receiver, name, value) in [
            ("level that the stack requires", "RoutePlan<\(route)>", "required\(type)", "requiredLevel"),
            ("level that the user has", "RoutePlan<\(route)>", "user\(type)", "userLevel"),
            ("level that the link requires", "WaymarkDenial<\(route)>", "required\(type)", "requiredLevel"),
            ("level that the user has", "WaymarkDenial<\(route)>", "user\(type)", "userLevel"),
            ("level that a user obtains there", "WaymarkDenial.Gate<\(route)>", variable, "level"),
        ] {
            code.line()
            code.line("/** The \(comment); `null` if this version of the app doesn't know it. */")
            code.line("\(access)val \(receiver).\(name): \(type)? get() = \(type).of(\(value))")
        }
    }

    // MARK: TypeScript

    func writeTypeScript(to code: inout CodeWriter) {
        code.line()
        code.line("/** The levels of users, the lowest first. */")
        code.block("export const \(variable)s = [", end: "] as const;") { code in
            for level in levels { code.line(TextLiteral.typeScript(level.word) + ",") }
        }
        code.line()
        code.line("/** A level of users. */")
        code.line("export type \(type) = (typeof \(variable)s)[number];")
        code.line()
        code.line("/** Returns the level of a name; `undefined` if this version of the app doesn't know it. */")
        code.block("export function \(variable)(name: string | undefined): \(type) | undefined {") { code in
            code.line("return \(variable)s.find((level) => level === name);")
        }
        code.line()
        code.line("/** Compares two levels: the result is negative if the first is lower, and 0 if they are equal. */")
        code.block("export function compare\(type)s(left: \(type), right: \(type)): number {") { code in
            code.line("return \(variable)s.indexOf(left) - \(variable)s.indexOf(right);")
        }
    }

    /// The name of the type as that of a value.
    private var variable: String { type.prefix(1).lowercased() + type.dropFirst() }
}
