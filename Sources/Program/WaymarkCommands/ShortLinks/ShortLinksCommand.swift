import ArgumentParser

/// The group of the commands about short links.
struct ShortLinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "short-links",
        abstract: "Makes, reads and moves short links in the database; a running server sees the change.",
        subcommands: [
            ShortLinksMakeCommand.self, ShortLinksShowCommand.self, ShortLinksListCommand.self,
            ShortLinksWithdrawCommand.self, ShortLinksImportCommand.self, ShortLinksExportCommand.self,
        ]
    )
}
