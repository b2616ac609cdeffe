import DeepLinkCore

/// The writer of a catalog's routes in TypeScript.
struct TypeScriptWriter {
    private let options: GenerationOptions
    private let model: RouteModel

    init(_ model: RouteModel, options: GenerationOptions) {
        self.model = model
        self.options = options
    }

    /// The text of the file.
    var text: String {
        var code = CodeWriter()
        let variable = options.name.prefix(1).lowercased() + options.name.dropFirst()
        code.line("// \(options.header(of: model))")
        code.line("/* eslint-disable */")
        if model.routes.contains(where: { $0.parameters.contains { hasWideInteger($0.type) } }) {
            code.line(
                "// Integers without `min` and `max` in the catalog are exact up to 2^53. JSON.parse rounds greater ones."
            )
        }
        let runtime = TextLiteral.typeScript(options.imports.first ?? "./waymark-runtime")
        let needsAny = model.routes.contains { $0.parameters.contains { hasAny($0.type) } }
        code.line("import type { \(needsAny ? "JSONValue, " : "")RouteSpecs, RouteTable } from \(runtime);")
        code.line()
        code.line("/** The catalog that this was generated from. */")
        code.line("export const catalogVersion = \(TextLiteral.typeScript(model.catalogVersion));")
        for route in model.routes where !route.parameters.isEmpty {
            code.line()
            code.line("/**")
            code.comment("The values of `\(route.name)`.", mark: " *")
            for way in route.ways { code.comment("- " + way, mark: " *") }
            code.line(" */")
            code.block("export interface \(route.payload) {") { code in
                for member in route.parameters { code.line("readonly " + self.member(member) + ";") }
            }
        }
        code.line()
        code.line("/** The values of each route. */")
        code.block("export interface \(options.name)Types {") { code in
            for route in model.routes {
                if let description = route.description {
                    code.line("/**")
                    code.comment(description, mark: " *")
                    code.line(" */")
                }
                let values = route.parameters.isEmpty ? "{}" : route.payload
                code.line("readonly \(TextLiteral.typeScript(route.name)): \(values);")
            }
        }
        code.line()
        code.line("/** A route with its name and its values. */")
        code.block("export type \(options.name) = {", end: "}[keyof \(options.name)Types];") { code in
            let types = "\(options.name)Types"
            code.line(
                "readonly [Name in keyof \(types)]: { readonly route: Name; readonly parameters: \(types)[Name] };"
            )
        }
        code.line()
        code.line("/** The names of the routes, in the order of the catalog. */")
        code.block("export const \(variable)Names = [", end: "] as const;") { code in
            for route in model.routes { code.line(TextLiteral.typeScript(route.name) + ",") }
        }
        code.line()
        code.block("const specs: RouteSpecs = [", end: "];") { code in
            for route in model.routes {
                let members = route.parameters.map(spec(of:)).joined(separator: ", ")
                code.line("[\(TextLiteral.typeScript(route.name)), [\(members)]],")
            }
        }
        code.line()
        code.line("/** The data for reading plans. */")
        let app = options.app.map { ", appName: \(TextLiteral.typeScript($0))" } ?? ""
        code.line("export const \(variable)Table: RouteTable<\(options.name)> = { catalogVersion, specs\(app) };")
        let permissions = model.permissions
        if !permissions.levels.isEmpty { LevelWriter(permissions.levels, options: options).writeTypeScript(to: &code) }
        if !permissions.grants.isEmpty { GrantWriter(permissions.grants, options: options).writeTypeScript(to: &code) }
        return code.text
    }

    private func member(_ member: NamedParameter) -> String {
        let name = IdentifierCase.isIdentifier(member.name) ? member.name : TextLiteral.typeScript(member.name)
        return "\(name)\(member.isAlwaysThere ? "" : "?"): \(type(member.type))"
    }

    private func type(_ type: NamedType) -> String {
        switch type {
        case .text, .uuid, .date, .dateTime: "string"
        case .int, .double: "number"
        case .bool: "boolean"
        case .any: "JSONValue"
        case .words(_, let words): words.map { TextLiteral.typeScript($0.word) }.joined(separator: " | ")
        case .list(let element): "readonly (\(self.type(element)))[]"
        case .object(_, let members):
            "{ " + members.map { "readonly " + member($0) }.joined(separator: "; ") + " }"
        }
    }

    /// Returns the specification of one parameter: its name, its type, and whether it may be absent.
    private func spec(of member: NamedParameter) -> String {
        "[\(TextLiteral.typeScript(member.name)), \(spec(of: member.type)), \(member.isAlwaysThere)]"
    }

    private func spec(of type: NamedType) -> String {
        switch type {
        case .text, .uuid, .date, .dateTime: "\"string\""
        case .int: "\"int\""
        case .double: "\"number\""
        case .bool: "\"boolean\""
        case .any: "\"any\""
        case .words(_, let words):
            "{ words: [\(words.map { TextLiteral.typeScript($0.word) }.joined(separator: ", "))] }"
        case .list(let element): "{ list: \(spec(of: element)) }"
        case .object(_, let members): "{ fields: [\(members.map(spec(of:)).joined(separator: ", "))] }"
        }
    }

    private func hasWideInteger(_ type: NamedType) -> Bool {
        switch type {
        case .int(let isSafe): !isSafe
        case .list(let element): hasWideInteger(element)
        case .object(_, let members): members.contains { hasWideInteger($0.type) }
        case .text, .double, .bool, .uuid, .date, .dateTime, .words, .any: false
        }
    }

    private func hasAny(_ type: NamedType) -> Bool {
        switch type {
        case .any: true
        case .list(let element): hasAny(element)
        case .object(_, let members): members.contains { hasAny($0.type) }
        case .text, .int, .double, .bool, .uuid, .date, .dateTime, .words: false
        }
    }
}
