import ArgumentParser
import DeepLinkClientCode
import DeepLinkCore
import DeepLinkImport
import Foundation

/// The command that writes the types of a catalog's routes for an app.
package struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the types of a catalog's routes for apps, in Swift, TypeScript or Kotlin.",
        discussion: """
            Commit the files with the app. In CI, --check verifies that they match the catalog.

            waymark generate swift Config/routes.yaml --output App/Routes --runtime
            waymark generate kotlin Config/routes.yaml --output app/src/main/kotlin/routes --package com.acme.routes --runtime
            waymark generate typescript Config/routes.yaml --output src/routes --check
            waymark generate typescript Config/routes.yaml --output src --expo --expo-tree src/app
            waymark generate kotlin Config/routes.yaml --output app/src/main/kotlin/routes --navigation3 --runtime

            --expo writes the runtime and the adapter for Expo Router: app/+native-intent.tsx, which imports `links` from \
            ../links, a file of the app. With --expo-tree it also writes the file of each route, found by its path, \
            and the types of hrefs. --navigation3 writes the keys and entries of Android's Navigation 3.

            --app writes the routes of one app and of every app, and its name, which the client sends with each request.

            Exits with 0 if the files are written or unchanged, 1 if --check finds a difference, which it prints, 65 \
            if the catalog has faults or names that are invalid in code. Rename these with --rename.
            """
    )

    @Argument(help: "The language: swift, typescript or kotlin.")
    var language: ClientLanguage

    @Argument(help: "The catalog. Default: the catalog of the settings.")
    var file: String?

    @Option(help: ArgumentHelp("The folder for the files, created if it doesn't exist.", valueName: "folder"))
    var output: String

    @Option(help: "The name of the type for all routes.")
    var name: String = "AppRoute"

    @Option(help: "The access level of the types, in Swift and Kotlin: public or internal.")
    var access: GenerationOptions.Access = .public

    @Option(help: ArgumentHelp("The package of the files, in Kotlin.", valueName: "package"))
    var package: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "The location of the runtime, if elsewhere: a module, a package, or a path of TypeScript.",
            valueName: "module"
        )
    )
    var runtimeModule: String?

    @Option(
        help: ArgumentHelp(
            "Another name in code: of a route, of route.parameter, of route.parameter.word, of levels.level, or of "
                + "grants.grant; repeat it for more.",
            valueName: "name=other"
        )
    )
    var rename: [String] = []

    @Option(help: ArgumentHelp("The app of the catalog to write the routes for, by its name.", valueName: "name"))
    var app: AppArgument?

    @Flag(help: "Also write the runtime, which is the same for every catalog.")
    var runtime = false

    @Flag(help: "Also write the adapter for Expo Router, with the runtime. In TypeScript.")
    var expo = false

    @Option(
        help: ArgumentHelp(
            "The folder `app` of the Expo Router app, or the folder around it, for the files of routes.",
            valueName: "folder"
        )
    )
    var expoTree: String?

    @Flag(help: "Also write the keys and entries of Navigation 3. With --runtime, its adapter too. In Kotlin.")
    var navigation3 = false

    @Flag(help: "Print the changes instead of writing them, and exit with 1 if there are any.")
    var check = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard language.acceptsTypeName(name) else {
            throw ValidationError("`\(name)` cannot be the name of the routes' type. Use one such as AppRoute.")
        }
        guard package.map(ClientLanguage.acceptsPackageName) != false else {
            throw ValidationError("`\(package ?? "")` isn't the name of a package, such as com.acme.routes.")
        }
        guard runtimeModule?.wholeMatch(of: /[A-Za-z0-9_.@\/-]+/) != nil || runtimeModule == nil else {
            throw ValidationError("`\(runtimeModule ?? "")` isn't the name of a module.")
        }
        guard !expo || language == .typescript else { throw ValidationError("--expo is for typescript.") }
        guard !expo || runtimeModule == nil else {
            throw ValidationError("--expo writes the runtime beside the routes, so it takes no --import.")
        }
        guard expoTree == nil || expo else { throw ValidationError("--expo-tree goes with --expo.") }
        guard !navigation3 || language == .kotlin else { throw ValidationError("--navigation3 is for kotlin.") }
        _ = try renames
    }

    private var router: GenerationOptions.Router? {
        get throws {
            if navigation3 { return .navigation3 }
            guard expo else { return nil }
            return .expo(
                try expoTree.map { tree in
                    try ExpoFolder.files(in: tree).flatMap(\.places)
                        .map { ExpoPlace(path: $0.path, hasTabs: $0.hasTabs) }
                }
            )
        }
    }

    private var renames: [ByteText: String] {
        get throws {
            var renames: [ByteText: String] = [:]
            for text in rename {
                // A catalog's name may contain an equals sign, but a name in code doesn't.
                let bytes = text.utf8
                guard let place = bytes.lastIndex(of: UInt8(ascii: "=")), place > bytes.startIndex else {
                    throw ValidationError("`\(text)` isn't a renaming. Write `name=other`.")
                }
                let name = ByteText(String(Substring(bytes[..<place])))
                let other = String(Substring(bytes[bytes.index(after: place)...]))
                guard renames.updateValue(other, forKey: name) == nil else {
                    throw ValidationError("`\(name)` is renamed twice.")
                }
            }
            return renames
        }
    }

    func run() async throws {
        let whole = try shared.workspace(overriding: [.catalog: file]).catalog()
        let catalog = try app?.catalog(of: whole) ?? whole
        let files = try generated(from: catalog)
        let folder = URL(fileURLWithPath: output)
        var differences: [String] = []
        for file in files {
            let url = folder.appending(path: file.name)
            let present = try? String(decoding: Data(contentsOf: url), as: UTF8.self)
            guard present.map({ $0.bytewise == file.text.bytewise }) != true else { continue }
            if check {
                differences.append(UnifiedDiff(from: present, to: file.text, name: url.relativePath).text)
                continue
            }
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(file.text.utf8).write(to: url, options: .atomic)
            } catch {
                throw CommandError.unavailable("cannot write \(url.relativePath).")
            }
            print(url.relativePath)
        }
        guard differences.isEmpty else {
            for difference in differences { print(document: difference, terminator: "") }
            throw CommandError.no("\(differences.count) of \(files.count) files are not those of the catalog.")
        }
    }

    /// Generates all files, and writes warnings to standard error.
    private func generated(from catalog: RouteCatalog) throws -> [GeneratedFile] {
        let options = GenerationOptions(
            name: name,
            access: access,
            packageName: package,
            imports: runtimeModule.map { [$0] } ?? [],
            renames: try renames,
            app: app?.name,
            router: try router,
            generatorVersion: Version.text
        )
        do {
            let code = try language.code(for: catalog, options)
            if !code.warnings.isEmpty { StandardError.print(IssueReport(code.warnings).text) }
            if !code.routesWithoutFile.isEmpty {
                StandardError.print(
                    "waymark: no file has the path of \(code.routesWithoutFile.joined(separator: ", ")). "
                        + "Name theirs in links.ts."
                )
            }
            return [code.file] + (code.screens.map { [$0] } ?? []) + (runtime || expo ? language.runtime(options) : [])
                + [RouteFixtures(catalog).file]
        } catch let error as NameError {
            throw CommandError.badData(IssueReport(error.issues).text)
        } catch let error as UnknownRenameError {
            throw CommandError.usage("--rename \(error.name)=…: \(language.rawValue) has no such name to change.")
        }
    }
}

extension ClientLanguage: ExpressibleByArgument {}

extension GenerationOptions.Access: ExpressibleByArgument {}
