import ArgumentParser
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkImport
import Foundation

/// The command that drafts a catalog from what a team has.
struct CatalogImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Drafts a catalog from links, an Expo Router tree, a linking object, or the files of an app.",
        discussion: """
            waymark catalog import --links links.txt --output routes.yaml
            waymark catalog import --expo app --links pushes.csv --output routes.yaml
            waymark catalog import --linking linking.json --manifest AndroidManifest.xml --output routes.yaml
            waymark catalog import --links links.txt --manifest rider.xml --manifest driver.xml --output routes.yaml

            Links come from a log, analytics, a push history or an export: one a line, JSON objects with a `link`, or a \
            CSV file with a column `link`. Each is read several times, and any number of them in bounded memory. \
            Nothing is executed.

            The draft is a sound catalog with a comment at each guess, such as `# int in 41 of 41`. Beside it are the \
            cases for `waymark check`: the links, with the routes that they open. The report on standard error says \
            which links the draft refuses, which hosts look foreign, and what a person should decide. The order of the \
            links changes nothing.

            Then: waymark catalog check routes.yaml, waymark catalog show routes.yaml, and \
            waymark check routes.yaml.cases.yaml --catalog routes.yaml

            Exits with 0, with 1 if some lines are no links and were left out, with 65 if no line is usable or a \
            file isn't what it should be, with 69 if a file cannot be read.
            """
    )

    @Option(help: ArgumentHelp("A file of links. - is standard input.", valueName: "file"))
    var links: String?

    @Option(help: ArgumentHelp("The folder `app` of an Expo Router app, or the folder around it.", valueName: "folder"))
    var expo: String?

    @Option(help: ArgumentHelp("React Navigation's `linking` object, as JSON.", valueName: "file"))
    var linking: String?

    @Option(
        help: ArgumentHelp("An AndroidManifest.xml, for origins; repeat it for further apps.", valueName: "file")
    )
    var manifest: [String] = []

    @Option(
        help: ArgumentHelp(
            "An apple-app-site-association file, for apps and the prefix of paths; repeat it for further files.",
            valueName: "file"
        )
    )
    var association: [String] = []

    @Option(help: ArgumentHelp("The catalog to write. Default: standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("The cases to write. Default: the catalog's name with .cases.yaml.", valueName: "file"))
    var cases: String?

    func validate() throws {
        guard links != nil || hasTables else {
            throw ValidationError(
                "Name what the draft is made of: --links links.txt, --expo app, --linking linking.json, --manifest "
                    + "AndroidManifest.xml, --association apple-app-site-association, or several of them."
            )
        }
    }

    func run() async throws {
        var work = try CatalogImport.reading(try tables(), manifests: manifest, associations: association)
        let file = try links.map { path throws(CommandError) in try ImportedLinkFile(path) }
        var faultCount = 0
        var isFirst = true
        repeat {
            guard let file else { continue }
            let faults = try file.forEachLink(tellingFaults: isFirst) { link, _ in work.read(link) }
            if isFirst { faultCount = faults }
            isFirst = false
            guard work.linkCount > 0 || hasTables else {
                throw CommandError(.badData, message: "\(file.name) has no link.")
            }
        } while work.finishPass()
        let draft = work.draft()
        let catalog = try sound(draft)
        var check = ImportCheck(draft, catalog: catalog)
        if let file {
            _ = try file.forEachLink(tellingFaults: false) { link, line in check.check(link, at: "\(file.name):\(line)")
            }
        }
        check.note(faults: faultCount)
        try write(draft, check)
        StandardError.print(check.report.lines(routeCount: draft.routeCount).joined(separator: "\n"))
        guard faultCount == 0 else { throw CommandError(.no, message: nil) }
    }

    private var hasTables: Bool { expo != nil || linking != nil || !manifest.isEmpty || !association.isEmpty }

    private func tables() throws(CommandError) -> CatalogImport.Tables {
        var tables = CatalogImport.Tables()
        if let expo { tables.expo = try ExpoFolder.files(in: expo) }
        if let linking {
            tables.linking = try JSONInput.parse(try InputFile.read(linking), named: InputFile.name(linking))
        }
        for path in manifest { tables.manifests.append(try InputFile.read(path)) }
        for path in association {
            tables.associations.append(try JSONInput.parse(try InputFile.read(path), named: InputFile.name(path)))
        }
        return tables
    }

    /// Loads the draft as any catalog.
    ///
    /// - Throws: ``CommandError`` of code 65 if it has an issue, which is a fault of this command.
    private func sound(_ draft: ImportedDraft) throws(CommandError) -> RouteCatalog {
        do throws(CatalogError) {
            return try CatalogLoader.load(Array(draft.yaml.utf8), file: output ?? "draft")
        } catch {
            throw CommandError(
                .badData,
                message: "the draft is not sound, which is a fault of this command.\n" + IssueReport(error.issues).text
            )
        }
    }

    private func write(_ draft: ImportedDraft, _ check: ImportCheck) throws(CommandError) {
        if let output { try Self.write(draft.yaml, to: output) } else { print(document: draft.yaml, terminator: "") }
        let path = cases ?? (links == nil ? nil : output.map { $0 + ".cases.yaml" })
        if let path { try Self.write(check.cases, to: path) }
    }

    private static func write(_ text: String, to path: String) throws(CommandError) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError(.unavailable, message: "cannot write \(path).")
        }
    }
}

extension CatalogImport {
    /// Reads the tables of an app.
    ///
    /// - Throws: `CommandError` of code 65 that names the table at fault.
    fileprivate static func reading(
        _ tables: Tables,
        manifests: [String],
        associations: [String]
    ) throws(CommandError) -> CatalogImport {
        /// Returns the option of a table, with the file if there are several.
        func name(_ option: String, _ files: [String], _ place: Int) -> String {
            files.count > 1 ? "\(option) \(InputFile.name(files[place]))" : option
        }
        do throws(Fault) {
            return try CatalogImport(tables)
        } catch {
            let (name, reason) =
                switch error {
                case .expo(let reason): ("--expo", reason)
                case .linking(let reason): ("--linking", reason)
                case .manifest(let reason, let place): (name("--manifest", manifests, place), reason)
                case .association(let reason, let place): (name("--association", associations, place), reason)
                }
            throw CommandError(
                .badData,
                message: "\(name)\(reason.line.map { ", line \($0)" } ?? ""): \(reason.message)"
            )
        }
    }
}
