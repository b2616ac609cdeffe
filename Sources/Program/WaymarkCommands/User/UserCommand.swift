import ArgumentParser

/// The group of the commands about user states.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Reads and changes user states in the database; a running server sees the change.",
        subcommands: [
            UserGetCommand.self, UserSetCommand.self, UserListCommand.self, UserDeleteCommand.self,
            UserGrantCommand.self, UserRevokeCommand.self, UserHistoryCommand.self, UserImportCommand.self,
            UserExportCommand.self, UserRenameLevelCommand.self,
        ]
    )
}
