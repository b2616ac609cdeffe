import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that exports all short links in a format for import.
struct ShortLinksExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints all short links as stored, including withdrawn ones, with one JSON object per line.",
        discussion: """
            waymark short-links export > short-links.ndjson
            waymark short-links import --format waymark short-links.ndjson

            The lines are in the order in which the links were made. They contain names, and the users that links are \
            about: protect them like the database. The history is not exported.
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = try shared.workspace()
        try await workspace.withStore(named: true) { store in
            try await store.visitShortLinks(ShortLinkFilter()) { links in
                for link in links { JSONOutput.print(ShortLinkRecordBody(link)) }
            }
        }
    }
}

extension Workspace {
    /// Loads a catalog with short links, and the keys of signed links.
    ///
    /// - Throws: ``CommandError`` if the catalog cannot be loaded, or has no origin of short links.
    func shortLinkDestinations() throws -> ShortLinkDestinations {
        let catalog = try catalog()
        guard catalog.hasShortLinks else {
            throw CommandError.no(
                "the catalog has no origin of short links. Add one to `origins`: "
                    + "{ scheme: https, hosts: [go.example.com], shortLinks: true }."
            )
        }
        return ShortLinkDestinations(catalog: catalog, keys: try signingKeys(for: catalog))
    }
}

/// The group of the commands about short links.
package struct ShortLinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "short-links",
        abstract: "Makes, reads and moves short links in the database. A running server sees the change.",
        subcommands: [
            ShortLinksMakeCommand.self, ShortLinksShowCommand.self, ShortLinksListCommand.self,
            ShortLinksWithdrawCommand.self, ShortLinksImportCommand.self, ShortLinksExportCommand.self,
        ]
    )
}
