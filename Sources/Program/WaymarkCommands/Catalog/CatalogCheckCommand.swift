import ArgumentParser
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkWeb

/// The command that validates a catalog, or reports all of its issues.
struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a catalog and reports every fault with its place and a hint.",
        discussion: """
            Exits with 0 if the catalog is sound, 65 if it isn't, 69 if it cannot be read. Warnings about probable \
            mistakes don't change that. With --strict they count as errors.
            """
    )

    @Argument(help: "The catalog. Default: the catalog of the settings.")
    var file: String?

    @Flag(help: "Refuse a catalog with warnings too.")
    var strict = false

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let settings = try shared.workspace(overriding: [.catalog: file]).settings
        do {
            let loaded = try CatalogLoader.load(contentsOf: settings.catalog)
            let catalog = loaded.adding(AssociationFiles(loaded).warnings)
            switch format {
            case .json: JSONOutput.print(IssueReport(catalog.warnings))
            case .text where !catalog.warnings.isEmpty && strict: break
            case .text:
                print(
                    "\(settings.catalog): sound; version \(catalog.version), \(catalog.routes.count) routes, "
                        + "\(catalog.edges.count) edges"
                )
            }
            guard !catalog.warnings.isEmpty else { return }
            let report = format == .text ? IssueReport(catalog.warnings).text : nil
            if strict { throw CommandError.badData(report) }
            if let report { StandardError.print(report) }
        } catch let invalid as CatalogError where format == .json {
            JSONOutput.print(IssueReport(invalid.issues))
            throw CommandError(.badData, message: nil)
        } catch {
            try CommandError.translate { throw error }
        }
    }
}

/// The group of the commands about catalogs.
package struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Drafts, checks, shows, compares and signs route catalogs.",
        subcommands: [
            CatalogCheckCommand.self, CatalogShowCommand.self, CatalogDiffCommand.self, CatalogBundleCommand.self,
            CatalogImportCommand.self,
        ]
    )
}
