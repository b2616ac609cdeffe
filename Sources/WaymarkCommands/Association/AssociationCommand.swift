import ArgumentParser

/// The group of the commands about the files that tell phones which links an app opens.
struct AssociationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "association",
        abstract: "Shows and tests the files that tell phones which links an app opens.",
        subcommands: [AssociationShowCommand.self, AssociationTestCommand.self]
    )
}
