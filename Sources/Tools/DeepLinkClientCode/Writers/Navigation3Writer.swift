import DeepLinkCore

/// The writer of the keys and entries of Android's Navigation 3 for a catalog's routes.
///
/// Screens are the members of an interface, so that the compiler misses the screen of a new route.
struct Navigation3Writer {
    private let options: GenerationOptions
    private let model: RouteModel

    init(_ model: RouteModel, options: GenerationOptions) {
        self.model = model
        self.options = options
    }

    /// The text of the file.
    var text: String {
        var code = CodeWriter()
        let access = options.access == .internal ? "internal " : ""
        let (key, screens) = ("\(options.name)Key", "\(options.name)Screens")
        code.line("// \(options.header(of: model))")
        code.line("@file:Suppress(\"FunctionName\", \"RedundantVisibilityModifier\", \"unused\")")
        code.line()
        if let name = options.packageName {
            code.line("package \(name)")
            code.line()
        }
        for name in ["androidx.compose.runtime.Composable", "androidx.navigation3.runtime.NavEntry"] {
            code.line("import \(name)")
        }
        for name in options.imports { code.line("import \(name).*") }
        code.line()
        code.line("/** A key of the back stack. */")
        code.line("\(access)typealias \(key) = WaymarkKey<\(options.name)>")
        code.line()
        code.line("/** The screens of the app: the compiler asks for that of a route which a newer catalog adds. */")
        code.block("\(access)interface \(screens) {") { code in
            for route in model.routes {
                let parameter = route.parameters.isEmpty ? "" : "route: \(options.name).\(route.identifier), "
                code.line("@Composable")
                code.line("fun \(route.identifier)(\(parameter)key: \(key))")
                code.line()
            }
            code.line("/** What is shown of a route that this version of the app doesn't know. */")
            code.line("@Composable")
            code.line("fun unrecognized(key: \(key))")
        }
        code.line()
        code.line(
            "/** Returns the entry of a key for `NavDisplay`. Each route has one. [metadata] is for the scenes. */"
        )
        code.line(
            "\(access)fun \(screens).entry(key: \(key), metadata: Map<String, Any> = emptyMap()): NavEntry<\(key)> {"
        )
        let chunks = RouteModel.chunks(of: model.routes)
        code.body(end: "}") { code in
            code.line("val route = key.route ?: return key.entry(metadata) { unrecognized(key) }")
            let calls = chunks.indices.map { "entry\($0)(route, key, metadata)" }
            code.line(
                "return " + calls.joined(separator: " ?: ") + (chunks.count == 1 ? "" : " ?: error(route.routeName)")
            )
        }
        for (index, chunk) in chunks.enumerated() {
            // A `when` over all routes needs no other branch, and over some of them it does.
            let isWhole = chunks.count == 1
            code.line()
            code.line("private fun \(screens).entry\(index)(")
            code.line("    route: \(options.name), key: \(key), metadata: Map<String, Any>,")
            code.block("): NavEntry<\(key)>\(isWhole ? "" : "?") = when (route) {") { code in
                for route in chunk {
                    let name = "\(options.name).\(route.identifier)"
                    code.line(
                        route.parameters.isEmpty
                            ? "\(name) -> key.entry(metadata) { \(route.identifier)(key) }"
                            : "is \(name) -> key.entry(metadata) { \(route.identifier)(route, key) }"
                    )
                }
                if !isWhole { code.line("else -> null") }
            }
        }
        return code.text
    }
}
