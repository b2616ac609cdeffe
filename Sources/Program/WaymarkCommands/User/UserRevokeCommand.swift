import ArgumentParser
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

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
        try await user.withAuditedStore { id, store, names, audit in
            let write = try GrantArgument.write(
                .remove,
                of: name,
                to: id,
                names: names.grants,
                isAudited: audit.isKept
            )
            let saved = try await store.save(write)
            await audit.note(.revokeGrant, saved.audited)
            guard saved.wasHeld else {
                throw CommandError(.no, message: "the user `\(id.text)` doesn't hold the grant `\(name)`.")
            }
        }
    }
}
