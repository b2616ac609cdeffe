import DeepLinkCore

/// The writer of a catalog's routes in Kotlin.
struct KotlinWriter {
    private let options: GenerationOptions
    private let model: RouteModel

    /// The access modifier with a space: `internal `, or nothing.
    private let access: String

    private let syntax = ValueSyntax.kotlin

    init(_ model: RouteModel, options: GenerationOptions) {
        self.model = model
        self.options = options
        access = options.access == .internal ? "internal " : ""
    }

    /// The text of the file.
    var text: String {
        var code = CodeWriter()
        code.line("// \(options.header(of: model))")
        code.line("@file:Suppress(\"RedundantVisibilityModifier\", \"unused\")")
        code.line()
        if let name = options.packageName {
            code.line("package \(name)")
            code.line()
        }
        for name in options.imports { code.line("import \(name).*") }
        if !options.imports.isEmpty { code.line() }
        code.line("/** The routes of the catalog, each with its values. */")
        code.block("\(access)sealed interface \(options.name) : WaymarkRoute {") { code in
            for route in model.routes {
                if route.description != nil || !route.ways.isEmpty {
                    code.line("/**")
                    if let description = route.description { code.comment(description, mark: " *") }
                    for way in route.ways { code.comment("- " + way, mark: " *") }
                    code.line(" */")
                }
                write(route, to: &code)
                code.line()
            }
            writeReading(to: &code)
        }
        let permissions = model.permissions
        if !permissions.levels.isEmpty { LevelWriter(permissions.levels, options: options).writeKotlin(to: &code) }
        if !permissions.grants.isEmpty { GrantWriter(permissions.grants, options: options).writeKotlin(to: &code) }
        return code.text
    }

    private func write(_ route: NamedRoute, to code: inout CodeWriter) {
        let name = "override val routeName: String get() = \(TextLiteral.kotlin(route.name))"
        guard !route.parameters.isEmpty else {
            code.block("data object \(route.identifier) : \(options.name) {") { code in
                code.line(name)
                code.line("override fun toParameters(): Map<String, Any?> = emptyMap()")
            }
            return
        }
        let path = "\(options.name).\(route.identifier)"
        writeClass(route.identifier, path: path, members: route.parameters, conformance: options.name, to: &code) {
            $0.line(name)
        }
    }

    /// Writes a class.
    ///
    /// `path` is its qualified name, because a nested type may have the same name.
    private func writeClass(
        _ name: String,
        path: String,
        members: [NamedParameter],
        conformance: String,
        to code: inout CodeWriter,
        body: (inout CodeWriter) -> Void
    ) {
        code.block("data class \(name)(", end: ") : \(conformance) {") { code in
            for member in members {
                let fallback = syntax.fallback(of: member, absent: "null")
                code.line("val \(member.identifier): \(syntax.type(of: member))\(fallback),")
            }
        }
        code.body(end: "}") { code in
            body(&code)
            code.block("override fun toParameters(): Map<String, Any?> = buildMap {") { code in
                for member in members {
                    let key = TextLiteral.kotlin(member.name)
                    let value = "this@\(name).\(member.identifier)"
                    if member.isAlwaysThere {
                        code.line("put(\(key), \(plain(value, type: member.type)))")
                    } else {
                        code.line("\(value)?.let { put(\(key), \(plain("it", type: member.type))) }")
                    }
                }
            }
            for member in members { writeType(of: member.type, path, to: &code) }
            code.block("companion object {") { code in
                code.block("internal fun read(parameters: Parameters): \(path) = \(path)(", end: ")") { code in
                    for member in members {
                        let key = TextLiteral.kotlin(member.name)
                        let reader = reader(of: member.type)
                        code.line(
                            "\(member.identifier) = parameters.\(member.isAlwaysThere ? "value" : "optional")(\(key), \(reader)),"
                        )
                    }
                }
            }
        }
    }

    private func writeType(of type: NamedType, _ path: String, to code: inout CodeWriter) {
        switch type {
        case .list(let element): writeType(of: element, path, to: &code)
        case .object(let name, let members):
            writeClass(name, path: "\(path).\(name)", members: members, conformance: "WaymarkObject", to: &code) { _ in
            }
        case .words(let name, let words):
            code.block("enum class \(name)(override val word: String) : WaymarkWord {") { code in
                for word in words { code.line("\(word.identifier)(\(TextLiteral.kotlin(word.word))),") }
            }
        case .text, .int, .double, .bool, .uuid, .date, .dateTime, .any: break
        }
    }

    private func writeReading(to code: inout CodeWriter) {
        let chunks = RouteModel.chunks(of: model.routes)
        code.block("companion object : RouteTable<\(options.name)> {") { code in
            code.line("override val catalogVersion: String get() = \(TextLiteral.kotlin(model.catalogVersion))")
            if let app = options.app { code.line("override val appName: String get() = \(TextLiteral.kotlin(app))") }
            code.line()
            code.line("override fun read(name: String, parameters: Parameters): \(options.name)? =")
            let calls = chunks.indices.map { "read\($0)(name, parameters)" }
            code.line("    " + (calls.isEmpty ? "null" : calls.joined(separator: "\n                ?: ")))
            for (index, chunk) in chunks.enumerated() {
                code.line()
                code.line("private fun read\(index)(name: String, parameters: Parameters): \(options.name)? =")
                code.block("    when (name) {", end: "    }") { code in
                    for route in chunk {
                        let value = route.identifier + (route.parameters.isEmpty ? "" : ".read(parameters)")
                        code.line("    \(TextLiteral.kotlin(route.name)) -> \(value)")
                    }
                    code.line("    else -> null")
                }
            }
        }
    }

    // MARK: Values

    /// Returns the expression that reads a value of the type.
    private func reader(of type: NamedType) -> String {
        switch type {
        case .text: "Parameters.text"
        case .int: "Parameters.long"
        case .double: "Parameters.double"
        case .bool: "Parameters.boolean"
        case .any: "Parameters.any"
        case .uuid: "Parameters.uuid"
        case .date: "Parameters.date"
        case .dateTime: "Parameters.dateTime"
        case .words(let name, _): "Parameters.word(\(name).entries)"
        case .list(let element): "Parameters.list(\(reader(of: element)))"
        case .object(let name, _): "Parameters.fields { \(name).read(it) }"
        }
    }

    /// Returns an expression for the value in a form that JSON libraries accept.
    private func plain(_ value: String, type: NamedType) -> String {
        switch type {
        case .text, .int, .double, .bool, .any: value
        case .uuid, .date, .dateTime: "\(value).text"
        case .words: "\(value).word"
        case .object: "\(value).toParameters()"
        case .list(let element):
            switch element {
            case .text, .int, .double, .bool, .any: value
            default: "\(value).map { element -> \(plain("element", type: element)) }"
            }
        }
    }
}
