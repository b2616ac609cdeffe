import DeepLinkCore

/// The writer of the files that show a catalog's routes in Expo Router, for its adapter.
struct ExpoWriter {
    private let options: GenerationOptions
    private let model: RouteModel
    private let screens: ExpoScreens

    init(_ model: RouteModel, screens: ExpoScreens, options: GenerationOptions) {
        self.model = model
        self.screens = screens
        self.options = options
    }

    /// The routes without a file, which the app names itself.
    var routesWithoutFile: [String] {
        zip(model.routes, screens.files).compactMap { $1 == nil ? $0.name : nil }
    }

    /// The text of the file.
    var text: String {
        var code = CodeWriter()
        let variable = options.name.prefix(1).lowercased() + options.name.dropFirst()
        let missing = routesWithoutFile
        code.line("// \(options.header(of: model))")
        code.line("/* eslint-disable */")
        code.line()
        code.line("/** The folders that have a layout. */")
        code.block("export const \(variable)Layouts = {", end: "} as const;") { code in
            for layout in screens.layouts {
                code.line(
                    "\(TextLiteral.typeScript(layout.path)): \(layout.hasTabs == true ? "\"tabs\"" : "\"stack\""),"
                )
            }
        }
        code.line()
        code.line("/**")
        code.comment(
            "The file of each route's screen. A container has the folder of its layout, or shows nothing.",
            mark: " *"
        )
        if !missing.isEmpty {
            code.comment(
                "No file has the path of: \(missing.joined(separator: ", ")). Name theirs beside these.",
                mark: " *"
            )
        }
        code.line(" */")
        code.block("export const \(variable)Screens = {", end: "} as const;") { code in
            for (route, files) in zip(model.routes, screens.files) {
                guard let files else { continue }
                let texts = files.map(TextLiteral.typeScript)
                let value = texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
                code.line("\(TextLiteral.typeScript(route.name)): \(value),")
            }
        }
        code.line()
        code.line("type Path =")
        for path in screens.paths { code.line("    | \(Self.type(of: path))") }
        code.line("    ;")
        code.line()
        code.line("/** The paths of the screens in the router. */")
        code.line("export type \(options.name)Href = Path | `${Path}?${string}`;")
        return code.text
    }

    /// Returns the type of a path: a literal, or a template for one with parameters.
    private static func type(of segments: [String]) -> String {
        guard segments.contains(where: { ExpoScreens.parameter($0) != nil }) else {
            return TextLiteral.typeScript("/" + segments.joined(separator: "/"))
        }
        let parts = segments.map { ExpoScreens.parameter($0) == nil ? template($0) : "${string}" }
        return "`/" + parts.joined(separator: "/") + "`"
    }

    private static func template(_ segment: String) -> String {
        let literal = TextLiteral.typeScript(segment).dropFirst().dropLast()
        return String(literal).replacing("`", with: "\\`").replacing("${", with: "\\${")
    }
}
