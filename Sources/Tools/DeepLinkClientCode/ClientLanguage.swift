package import DeepLinkCore
import EmbeddedFiles

/// A language for which code is generated.
package enum ClientLanguage: String, CaseIterable, Sendable {
    case swift
    case typescript
    case kotlin

    /// Generates the types of a catalog's routes.
    ///
    /// The same catalog and options give the same bytes.
    ///
    /// - Throws: ``NameError`` with every invalid name, ``UnknownRenameError``.
    /// - Complexity: linear in the catalog.
    package func code(for catalog: RouteCatalog, _ options: GenerationOptions) throws -> GeneratedCode {
        switch self {
        case .swift:
            let model = try RouteModel(catalog, rules: .swift(ofApp: options.app), renames: options.renames)
            return GeneratedCode(
                options.name + ".swift",
                text: SwiftWriter(model, options: options).text,
                warnings: model.warnings
            )
        case .typescript:
            let model = try RouteModel(catalog, rules: .typeScript, renames: options.renames)
            let name = options.name.prefix(1).lowercased() + options.name.dropFirst()
            var code = GeneratedCode(
                name + ".ts",
                text: TypeScriptWriter(model, options: options).text,
                warnings: model.warnings
            )
            if case .expo(let places?) = options.router {
                let writer = ExpoWriter(model, screens: ExpoScreens(places, catalog: catalog), options: options)
                code.screens = GeneratedFile(name: name + "Screens.ts", text: writer.text)
                code.routesWithoutFile = writer.routesWithoutFile
            }
            return code
        case .kotlin:
            let model = try RouteModel(catalog, rules: .kotlin(options.name), renames: options.renames)
            var code = GeneratedCode(
                options.name + ".kt",
                text: KotlinWriter(model, options: options).text,
                warnings: model.warnings
            )
            if case .navigation3 = options.router {
                let text = Navigation3Writer(model, options: options).text
                code.screens = GeneratedFile(name: options.name + "Screens.kt", text: text)
            }
            return code
        }
    }

    /// Returns whether a name is valid for the type of all routes.
    package func acceptsTypeName(_ name: String) -> Bool {
        let reserved =
            switch self {
            case .swift: NamingRules.swiftTypes
            case .typescript: NamingRules.typeScriptTypes
            case .kotlin: NamingRules.kotlinTypes
            }
        let first = name.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
        // This suffix is reserved for the types of parameter values.
        return first && IdentifierCase.isIdentifier(name) && !reserved.contains(name) && !name.hasSuffix("Parameters")
    }

    /// Returns whether a name is valid for a Kotlin package.
    package static func acceptsPackageName(_ name: String) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { part in
                let isWord = IdentifierCase.isIdentifier(String(part.drop { $0 == "_" }))
                return isWord && !NamingRules.kotlinKeywords.contains(String(part))
            }
    }
}

/// The types of a catalog's routes.
package struct GeneratedCode: Sendable {
    /// The file with the types.
    package let file: GeneratedFile

    /// The issues that don't prevent the generation.
    package let warnings: [NameIssue]

    /// The file with the screens of the routes, for the adapter of a router.
    package fileprivate(set) var screens: GeneratedFile?

    /// The routes without a file in the tree of Expo Router.
    package fileprivate(set) var routesWithoutFile: [String] = []

    fileprivate init(_ name: String, text: String, warnings: [NameIssue]) {
        file = GeneratedFile(name: name, text: text)
        self.warnings = warnings
    }
}

/// A file to be written.
package struct GeneratedFile: Hashable, Sendable {
    /// The file name, in a folder if the file belongs to the folder of another program.
    package let name: String

    /// The content.
    package let text: String
}

extension ClientLanguage {
    /// Returns the files that don't depend on a catalog.
    ///
    /// Kotlin files are in the package of the options. With a router the files of its adapter are among them.
    package func runtime(_ options: GenerationOptions) -> [GeneratedFile] {
        UnsafeBufferPointer(start: client_runtime_files(), count: client_runtime_file_count())
            .filter { [rawValue, options.router?.name].contains(String(cString: $0.language)) }
            .map { file in
                var text = String(
                    decoding: UnsafeBufferPointer(start: file.bytes, count: file.byte_count),
                    as: UTF8.self
                )
                if self == .kotlin {
                    text = text.replacing(
                        "\npackage waymark\n",
                        with: options.packageName.map { "\npackage \($0)\n" } ?? "\n"
                    )
                    // JNI finds a function in C by the package and the name of its class.
                    let name = options.packageName?.replacing("_", with: "_1").replacing(".", with: "_")
                    text = text.replacing("Java_waymark_", with: name.map { "Java_\($0)_" } ?? "Java_")
                }
                return GeneratedFile(name: String(cString: file.name), text: text)
            }
    }
}
