/// A generated type with the names of a catalog's levels or grants as its values.
struct WordType {
    /// The name of the type.
    let name: String

    /// The noun for a value.
    let noun: String

    /// The order of the values, in words.
    let order: String

    /// The values.
    let words: [NamedWord]

    /// The name of the type as a variable name.
    var variable: String { name.prefix(1).lowercased() + name.dropFirst() }

    /// Writes the type in Swift, with members that it has besides its values.
    func writeSwift(
        access: String,
        protocols: String,
        to code: inout CodeWriter,
        _ members: (inout CodeWriter) -> Void = { _ in }
    ) {
        code.line()
        code.line("/// The \(noun)s of users, \(order).")
        code.block("\(access)nonisolated enum \(name): String, CaseIterable, \(protocols) {") { code in
            for word in words { code.line("case \(word.identifier) = \(TextLiteral.swift(word.word))") }
            members(&code)
        }
    }

    /// Writes the type in Kotlin, with a function that finds a value by its name.
    func writeKotlin(access: String, to code: inout CodeWriter) {
        code.line()
        code.line("/** The \(noun)s of users, \(order). */")
        code.block("\(access)enum class \(name)(override val word: String) : WaymarkWord {") { code in
            for (place, word) in words.enumerated() {
                let end = place == words.count - 1 ? ";" : ","
                code.line("\(word.identifier)(\(TextLiteral.kotlin(word.word)))\(end)")
            }
            code.line()
            code.block("companion object {") { code in
                code.line("/** Returns the \(noun) of a name, or `null` if this version of the app doesn't know it. */")
                code.line("fun of(name: String?): \(name)? = entries.firstOrNull { it.word == name }")
            }
        }
    }

    /// Writes the type in TypeScript, with a function that finds a value by its name.
    func writeTypeScript(to code: inout CodeWriter) {
        code.line()
        code.line("/** The \(noun)s of users, \(order). */")
        code.block("export const \(variable)s = [", end: "] as const;") { code in
            for word in words { code.line(TextLiteral.typeScript(word.word) + ",") }
        }
        code.line()
        code.line("/** A \(noun) of users. */")
        code.line("export type \(name) = (typeof \(variable)s)[number];")
        code.line()
        code.line("/** Returns the \(noun) of a name, or `undefined` if this version of the app doesn't know it. */")
        code.block("export function \(variable)(name: string | undefined): \(name) | undefined {") { code in
            code.line("return \(variable)s.find((\(noun)) => \(noun) === name);")
        }
    }
}
