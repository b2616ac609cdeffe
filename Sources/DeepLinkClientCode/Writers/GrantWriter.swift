/// The grants of a catalog in code: a type, and the grants of plans, denials and gates as its values.
///
/// A grant that the app doesn't know has no value; its name is where it was before.
struct GrantWriter {
    private let grants: [NamedWord]
    private let options: GenerationOptions

    /// The name of the type.
    private var type: String { options.grantName }

    /// The name of the type as that of a value.
    private var variable: String { type.prefix(1).lowercased() + type.dropFirst() }

    init(_ grants: [NamedWord], options: GenerationOptions) {
        self.grants = grants
        self.options = options
    }

    func writeSwift(to code: inout CodeWriter) {
        let access = options.access == .public ? "public " : ""
        code.line()
        code.line("/// The grants of users, in the order of the catalog.")
        code.block("\(access)nonisolated enum \(type): String, CaseIterable, Sendable {") { code in
            for grant in grants { code.line("case \(grant.identifier) = \(TextLiteral.swift(grant.word))") }
        }
        for (extended, name, comment, value) in [
            ("RoutePlan", "required\(type)s", "The grants that the stack requires", "grants?.required"),
            ("WaymarkDenial", "missing\(type)s", "The grants that the user lacks", "missing"),
        ] {
            code.line()
            code.block("nonisolated extension \(extended) where Route == \(options.name) {") { code in
                code.line("/// \(comment), without those that this version of the app doesn't know.")
                code.line("\(access)var \(name): [\(type)] { (\(value) ?? []).compactMap { \(type)(rawValue: $0) } }")
            }
        }
        code.line()
        code.block("nonisolated extension WaymarkDenial.Gate where Route == \(options.name) {") { code in
            code.line("/// The grant that a user obtains there; `nil` if this version of the app doesn't know it.")
            code.line("\(access)var \(variable): \(type)? { grant.flatMap { \(type)(rawValue: $0) } }")
        }
    }

    func writeKotlin(to code: inout CodeWriter) {
        let access = options.access == .internal ? "internal " : ""
        code.line()
        code.line("/** The grants of users, in the order of the catalog. */")
        code.block("\(access)enum class \(type)(override val word: String) : WaymarkWord {") { code in
            for (place, grant) in grants.enumerated() {
                let end = place == grants.count - 1 ? ";" : ","
                code.line("\(grant.identifier)(\(TextLiteral.kotlin(grant.word)))\(end)")
            }
            code.line()
            code.block("companion object {") { code in
                code.line("/** Returns the grant of a name; `null` if this version of the app doesn't know it. */")
                code.line("fun of(name: String?): \(type)? = entries.firstOrNull { it.word == name }")
            }
        }
        for (comment, receiver, name, value) in [
            ("grants that the stack requires", "RoutePlan", "required\(type)s", "requiredGrants"),
            ("grants that the user lacks", "WaymarkDenial", "missing\(type)s", "missing"),
        ] {
            code.line()
            code.line("/** The \(comment), without those that this version of the app doesn't know. */")
            let list = "\(value).mapNotNull { \(type).of(it) }"
            code.line("\(access)val \(receiver)<\(options.name)>.\(name): List<\(type)> get() = \(list)")
        }
        code.line()
        code.line("/** The grant that a user obtains there; `null` if this version of the app doesn't know it. */")
        code.line("\(access)val WaymarkDenial.Gate<\(options.name)>.\(variable): \(type)? get() = \(type).of(grant)")
    }

    func writeTypeScript(to code: inout CodeWriter) {
        code.line()
        code.line("/** The grants of users, in the order of the catalog. */")
        code.block("export const \(variable)s = [", end: "] as const;") { code in
            for grant in grants { code.line(TextLiteral.typeScript(grant.word) + ",") }
        }
        code.line()
        code.line("/** A grant of users. */")
        code.line("export type \(type) = (typeof \(variable)s)[number];")
        code.line()
        code.line("/** Returns the grant of a name; `undefined` if this version of the app doesn't know it. */")
        code.block("export function \(variable)(name: string | undefined): \(type) | undefined {") { code in
            code.line("return \(variable)s.find((grant) => grant === name);")
        }
    }
}
