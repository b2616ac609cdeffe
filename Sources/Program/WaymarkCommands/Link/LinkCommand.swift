import ArgumentParser

/// The group of the commands about links.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Builds links.",
        subcommands: [LinkBuildCommand.self]
    )
}
