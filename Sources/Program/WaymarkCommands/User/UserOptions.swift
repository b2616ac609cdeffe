import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The arguments of a command about one user.
struct UserOptions: ParsableArguments {
    @Argument(help: "The user's id.")
    var id: String

    @OptionGroup var shared: SharedOptions

    /// Runs a body with a user that may have a state, and the store of an existing file.
    func withStore<Result>(_ body: (UserID, any OpenStore, AccessNames) async throws -> Result) async throws -> Result {
        let user = try UserArgument.storedID(id)
        return try await shared.readingUsers { store, names in try await body(user, store, names) }
    }

    /// Runs a body that changes a user that may have a state, with the store of an existing file and the audit log.
    func withAuditedStore<Result>(
        _ body: (UserID, any OpenStore, AccessNames, CommandAudit) async throws -> Result
    ) async throws -> Result {
        let audit = try Workspace(settings: try shared.settings { _ in }).audit()
        return try await withStore { user, store, names in try await body(user, store, names, audit) }
    }

    /// Returns the error for a user without a state.
    func noState(of user: UserID) -> CommandError {
        CommandError(.no, message: "the user `\(user.text)` has no state.")
    }
}

/// The output of user states.
enum UserOutput {
    /// The author of changes by commands, in the history.
    static let author = "command line"

    /// Returns the grants of a user in words, which are empty without grants.
    static func text(of grants: [GrantAssignment], names: GrantNames) -> String {
        names.presented(grants)
            .map { grant in grant.name.text + (grant.validUntil.map { " until \($0.rfc3339)" } ?? "") }
            .joined(separator: ", ")
    }

    /// Prints one line for each state.
    static func print(_ states: [UserState], format: OutputFormat, names: AccessNames) {
        let now = SystemClock.now()
        var table = TextTable()
        for state in states {
            switch format {
            case .json: JSONOutput.print(UserBody(state, at: now, names: names))
            case .text:
                table.append([
                    state.id.text,
                    names.levels.text(of: state.level(at: now, in: names.levels)),
                    "version \(state.version)",
                    state.level.validUntil.map { "valid until \($0.rfc3339)" } ?? "",
                    text(of: state.access.grants(at: now), names: names.grants),
                ])
            }
        }
        table.printPage()
    }
}

/// The group of the commands about user states.
package struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Reads and changes user states in the database. A running server sees the change.",
        subcommands: [
            UserGetCommand.self, UserSetCommand.self, UserListCommand.self, UserDeleteCommand.self,
            UserGrantCommand.self, UserRevokeCommand.self, UserHistoryCommand.self, UserImportCommand.self,
            UserExportCommand.self, UserRenameLevelCommand.self,
        ]
    )
}
