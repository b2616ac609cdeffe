import ArgumentParser
import DeepLinkFormats
import DeepLinkStorage

/// The command that writes all short links in a format that can be imported.
struct ShortLinksExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints all short links as they are stored, one JSON object a line, withdrawn ones included.",
        discussion: """
            waymark short-links export > short-links.ndjson
            waymark short-links import --format waymark short-links.ndjson

            The lines are in the order in which the links were made. They have names and users whom links are about: keep them \
            as you keep the database. The history stays behind.
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withStore(named: true) { store in
            try await ShortLinkPages(store)
                .visit(ShortLinkFilter()) { links in
                    for link in links { JSONOutput.print(ShortLinkRecordBody(link)) }
                }
        }
    }
}
