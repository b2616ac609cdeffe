import ArgumentParser

/// The group of the commands about association files, which define the links that an app opens.
struct AssociationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "association",
        abstract: "Shows and tests the association files, which define the links that an app opens.",
        subcommands: [AssociationShowCommand.self, AssociationTestCommand.self]
    )
}
