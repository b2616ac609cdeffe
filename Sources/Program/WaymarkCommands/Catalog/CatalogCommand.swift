import ArgumentParser

/// The group of the commands about catalogs.
struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Checks, shows, compares and signs route catalogs.",
        subcommands: [
            CatalogCheckCommand.self, CatalogShowCommand.self, CatalogDiffCommand.self, CatalogBundleCommand.self,
        ]
    )
}
