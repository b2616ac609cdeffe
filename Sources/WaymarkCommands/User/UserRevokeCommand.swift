import ArgumentParser
import DeepLinkCore
import DeepLinkStorage
import DeepLinkUsers

/// The command that takes a grant from a user.
struct UserRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Takes a grant from one user; exits with 1 if the user doesn't hold it.",
        discussion: "waymark user revoke ada pro"
    )

    @OptionGroup var user: UserOptions

    @Argument(help: "The name of the grant.")
    var name: String

    func run() async throws {
        try await user.withStore { id, store, names in
            let saved = try await store.save(GrantArgument.write(.remove, of: name, to: id, names: names.grants))
            guard saved.wasHeld else {
                throw CommandError(.no, message: "the user `\(id.text)` doesn't hold the grant `\(name)`.")
            }
        }
    }
}
