/// The writer of a catalog's grants: a type, and typed properties of plans, denials and gates.
///
/// A grant that the app doesn't know is missing from the typed properties. The untyped ones still have its name.
struct GrantWriter {
    private let words: WordType
    private let options: GenerationOptions

    /// The name of the type.
    private var type: String { words.name }

    init(_ grants: [NamedWord], options: GenerationOptions) {
        words = WordType(name: options.grantName, noun: "grant", order: "in the order of the catalog", words: grants)
        self.options = options
    }

    func writeSwift(to code: inout CodeWriter) {
        let access = options.access == .public ? "public " : ""
        words.writeSwift(access: access, protocols: "Sendable", to: &code)
        for (extended, name, comment, value) in [
            ("RoutePlan", "required\(type)s", "The grants that the stack requires", "grants?.required"),
            ("WaymarkDenial", "missing\(type)s", "The grants that the user lacks", "missing"),
        ] {
            code.line()
            code.block("nonisolated extension \(extended) where Route == \(options.name) {") { code in
                code.line("/// \(comment), except the ones that this version of the app doesn't know.")
                code.line("\(access)var \(name): [\(type)] { (\(value) ?? []).compactMap { \(type)(rawValue: $0) } }")
            }
        }
        code.line()
        code.block("nonisolated extension WaymarkDenial.Gate where Route == \(options.name) {") { code in
            code.line("/// The grant that a user obtains there, or `nil` if this version of the app doesn't know it.")
            code.line("\(access)var \(words.variable): \(type)? { grant.flatMap { \(type)(rawValue: $0) } }")
        }
    }

    func writeKotlin(to code: inout CodeWriter) {
        let access = options.access == .internal ? "internal " : ""
        words.writeKotlin(access: access, to: &code)
        for (comment, receiver, name, value) in [
            ("grants that the stack requires", "RoutePlan", "required\(type)s", "requiredGrants"),
            ("grants that the user lacks", "WaymarkDenial", "missing\(type)s", "missing"),
        ] {
            code.line()
            code.line("/** The \(comment), except the ones that this version of the app doesn't know. */")
            let list = "\(value).mapNotNull { \(type).of(it) }"
            code.line("\(access)val \(receiver)<\(options.name)>.\(name): List<\(type)> get() = \(list)")
        }
        code.line()
        code.line("/** The grant that a user obtains there, or `null` if this version of the app doesn't know it. */")
        code.line(
            "\(access)val WaymarkDenial.Gate<\(options.name)>.\(words.variable): \(type)? get() = \(type).of(grant)"
        )
    }

    func writeTypeScript(to code: inout CodeWriter) { words.writeTypeScript(to: &code) }
}
