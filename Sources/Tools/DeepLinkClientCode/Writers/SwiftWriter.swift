import DeepLinkCore

/// The writer of a catalog's routes in Swift.
struct SwiftWriter {
    private let options: GenerationOptions
    private let model: RouteModel

    /// The access modifier with a space: `public `, or nothing.
    private let access: String

    private let syntax = ValueSyntax.swift

    init(_ model: RouteModel, options: GenerationOptions) {
        self.model = model
        self.options = options
        access = options.access == .public ? "public " : ""
    }

    /// Whether the number of routes needs special code for the compiler.
    ///
    /// Names and signatures are the same.
    private var isLarge: Bool { model.routes.count > RouteModel.routesPerFunction }

    /// The type that contains the types of values.
    ///
    /// A function that names a type reaches everything in its descriptor, including the enclosing type, and LLVM
    /// traverses that for each function (`LazyCallGraph::visitReferences`). In an enum of n routes, each of n values
    /// would reach all others. The values of a large catalog are therefore nested in a type without values, and have an
    /// alias in the enum.
    private var home: String { isLarge ? options.name + "Values" : options.name }

    /// The text of the file.
    var text: String {
        var code = CodeWriter()
        code.line("// \(options.header(of: model))")
        code.line("// swift-format-ignore-file")
        code.line("// swiftlint:disable all")
        code.line()
        for module in options.imports { code.line("\(access)import \(module)") }
        if !options.imports.isEmpty { code.line() }
        code.line("/// The routes of the catalog, each with its values.")
        // The cost of copying boxed values doesn't depend on the number of cases.
        let indirect = isLarge ? "indirect " : ""
        code.block("\(access)nonisolated \(indirect)enum \(options.name): WaymarkRoute {") { code in
            for route in model.routes {
                if let description = route.description { code.comment(description, mark: "///") }
                code.line("case \(route.identifier)\(route.parameters.isEmpty ? "" : "(\(route.payload))")")
            }
            if isLarge { writeAliases(to: &code) }
            code.line()
            code.line("/// The catalog that the type was generated from.")
            code.line("\(access)static var catalogVersion: String { \(TextLiteral.swift(model.catalogVersion)) }")
            if let app = options.app {
                code.line()
                code.line("/// The name of the app in the catalog.")
                code.line("\(access)static var appName: String? { \(TextLiteral.swift(app)) }")
            }
            if isLarge { writeHashing(to: &code) }
            writeName(to: &code)
            writeParameters(to: &code)
            writeReading(to: &code)
        }
        if isLarge {
            code.line()
            code.line("/// The types of the routes' values, as ``\(options.name)`` names them.")
            code.line("\(access)nonisolated enum \(home) {}")
        }
        for route in model.routes where !route.parameters.isEmpty {
            code.line()
            code.block("nonisolated extension \(home) {") { code in
                code.line("/// The values of ``\(options.name)/\(route.identifier)``.")
                if !route.ways.isEmpty {
                    code.line("///")
                    code.line("/// For each way to the route:")
                    for way in route.ways { code.comment("- " + way, mark: "///") }
                }
                writeStruct(route.payload, members: route.parameters, isObject: false, to: &code)
            }
        }
        let permissions = model.permissions
        if !permissions.levels.isEmpty { LevelWriter(permissions.levels, options: options).writeSwift(to: &code) }
        if !permissions.grants.isEmpty { GrantWriter(permissions.grants, options: options).writeSwift(to: &code) }
        return code.text
    }

    // MARK: The enum

    private func writeAliases(to code: inout CodeWriter) {
        code.line()
        for route in model.routes where !route.parameters.isEmpty {
            code.line("/// The values of ``\(route.identifier)``.")
            code.line("\(access)typealias \(route.payload) = \(home).\(route.payload)")
        }
    }

    /// Writes the conformances that the compiler would synthesize, at more than linear time in the routes.
    private func writeHashing(to code: inout CodeWriter) {
        code.line()
        code.block("\(access)static func == (left: Self, right: Self) -> Bool {") { code in
            code.line("left.name == right.name && left.parameters == right.parameters")
        }
        code.line()
        code.block("\(access)func hash(into hasher: inout Hasher) {") { code in
            code.line("hasher.combine(name)")
            code.line("hasher.combine(parameters)")
        }
    }

    private func writeName(to code: inout CodeWriter) {
        writeProperty(
            "name",
            type: "String",
            comment: "The route's name in the catalog.",
            routes: model.routes,
            otherwise: nil,
            to: &code
        ) {
            ".\($0.identifier): \(TextLiteral.swift($0.name))"
        }
    }

    private func writeParameters(to code: inout CodeWriter) {
        let typed = model.routes.filter { !$0.parameters.isEmpty }
        let isWhole = typed.count == model.routes.count
        writeProperty(
            "parameters",
            type: "ParameterContainer",
            comment: "The values as they appear in a plan.",
            routes: typed,
            otherwise: isWhole ? nil : "ParameterContainer()",
            to: &code
        ) { ".\($0.identifier)(let values): values.container" }
    }

    /// Writes a property with a value for each route.
    ///
    /// `otherwise` is the value of all other cases, if there are any. The compiler fails to prove that a switch over
    /// some thousand cases is exhaustive, so it is split into several functions.
    private func writeProperty(
        _ name: String,
        type: String,
        comment: String,
        routes: [NamedRoute],
        otherwise: String?,
        to code: inout CodeWriter,
        line: (NamedRoute) -> String
    ) {
        let chunks = RouteModel.chunks(of: routes)
        code.line()
        code.line("/// \(comment)")
        code.block("\(access)var \(name): \(type) {") { code in
            guard chunks.count > 1 else {
                guard !routes.isEmpty else { return code.line(otherwise ?? "") }
                return code.block("switch self {") { code in
                    for route in routes { code.line("case " + line(route)) }
                    if let otherwise { code.line("default: \(otherwise)") }
                }
            }
            for index in chunks.indices { code.line("if let \(name) = \(name)\(index) { return \(name) }") }
            code.line("return \(otherwise ?? "\"\"")")
        }
        guard chunks.count > 1 else { return }
        for (index, chunk) in chunks.enumerated() {
            code.line()
            code.block("private var \(name)\(index): \(type)? {") { code in
                code.block("switch self {") { code in
                    for route in chunk { code.line("case " + line(route)) }
                    code.line("default: nil")
                }
            }
        }
    }

    private func writeReading(to code: inout CodeWriter) {
        code.line()
        code.line("/// Reads a destination, or returns `nil` for a route that is not in this catalog.")
        let chunks = RouteModel.chunks(of: model.routes)
        code.block("\(access)init?(name: String, parameters: ParameterContainer) throws {") { code in
            guard chunks.count > 1 else {
                return writeSwitch(chunks.first ?? [], to: &code) { "self = \($0)" }
            }
            // A single expression would take the compiler exponential time.
            for index in chunks.indices {
                code.block("if let route = try Self.read\(index)(name, parameters) {") { code in
                    code.line("self = route")
                    code.line("return")
                }
            }
            code.line("return nil")
        }
        guard chunks.count > 1 else { return }
        for (index, chunk) in chunks.enumerated() {
            code.line()
            let start =
                "private static func read\(index)(_ name: String, _ parameters: ParameterContainer) throws -> Self? {"
            code.block(start) { code in
                writeSwitch(chunk, to: &code) { "return \($0)" }
            }
        }
    }

    private func writeSwitch(
        _ routes: ArraySlice<NamedRoute>,
        to code: inout CodeWriter,
        found: (String) -> String
    ) {
        // The qualified name avoids `Optional.none`, because a route may be named `none`.
        let type = isLarge ? "Self" : ""
        code.block("switch name {") { code in
            for route in routes {
                let value =
                    route.parameters.isEmpty
                    ? "\(type).\(route.identifier)" : "try \(type).\(route.identifier)(\(route.payload)(parameters))"
                code.line("case \(TextLiteral.swift(route.name)): \(found(value))")
            }
            code.line("default: return nil")
        }
    }

    // MARK: Values

    private func writeStruct(
        _ name: String,
        members: [NamedParameter],
        isObject: Bool,
        to code: inout CodeWriter
    ) {
        let conformances = isObject ? "WaymarkParameterValue" : "Hashable, Sendable"
        code.block("\(access)nonisolated struct \(name): \(conformances) {") { code in
            for member in members {
                code.line("\(access)var \(member.identifier): \(syntax.type(of: member))")
            }
            code.line()
            let arguments = members.map {
                "\($0.identifier): \(syntax.type(of: $0))\(syntax.fallback(of: $0, absent: "nil"))"
            }
            code.block("\(access)init(\(arguments.joined(separator: ", "))) {") { code in
                for member in members { code.line("self.\(member.identifier) = \(member.identifier)") }
            }
            code.line()
            code.block("fileprivate init(_ container: ParameterContainer) throws(ParameterError) {") { code in
                for member in members {
                    let reader = member.isAlwaysThere ? "value" : "optional"
                    code.line("self.\(member.identifier) = try container.\(reader)(\(TextLiteral.swift(member.name)))")
                }
            }
            code.line()
            code.block("fileprivate var container: ParameterContainer {") { code in
                code.line("var container = ParameterContainer()")
                for member in members {
                    code.line("container.set(\(TextLiteral.swift(member.name)), self.\(member.identifier))")
                }
                code.line("return container")
            }
            if isObject { writeObjectReading(to: &code) }
            for member in members { writeType(of: member.type, member.name, to: &code) }
        }
    }

    private func writeObjectReading(to code: inout CodeWriter) {
        code.line()
        code.block("\(access)init?(json: WaymarkJSON) {") { code in
            code.line("guard case .object(let values) = json, let value = try? Self(ParameterContainer(values))")
            code.line("else { return nil }")
            code.line("self = value")
        }
        code.line()
        code.line("\(access)var json: WaymarkJSON { .object(container.values) }")
    }

    private func writeType(of type: NamedType, _ parameter: String, to code: inout CodeWriter) {
        switch type {
        case .list(let element): writeType(of: element, parameter, to: &code)
        case .object(let name, let members):
            code.line()
            writeStruct(name, members: members, isObject: true, to: &code)
        case .words(let name, let words):
            code.line()
            code.block("\(access)nonisolated enum \(name): String, CaseIterable, WaymarkParameterValue {") { code in
                for word in words {
                    code.line("case \(word.identifier) = \(TextLiteral.swift(word.word))")
                }
            }
        case .text, .int, .double, .bool, .uuid, .date, .dateTime, .any: break
        }
    }
}
