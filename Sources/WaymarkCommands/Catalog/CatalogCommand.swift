import ArgumentParser

/// The group of the commands about catalogs.
struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Checks, shows and signs route catalogs.",
        subcommands: [CatalogCheckCommand.self, CatalogShowCommand.self, CatalogBundleCommand.self]
    )
}
