import ArgumentParser
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

/// The command that deletes one user's state.
struct UserDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes one user's state; exits with 1 if there is none."
    )

    @Flag(help: "Delete the history as well, and all other data of the user except in backups.")
    var eraseHistory = false

    @OptionGroup var user: UserOptions

    func run() async throws {
        try await user.withAuditedStore { id, store, _, audit in
            let removal = UserStateRemoval(
                id: id,
                time: Clock.now(),
                author: UserOutput.author,
                isErasure: eraseHistory,
                isAudited: audit.isKept
            )
            let removed = try await store.apply(removal)
            await audit.note(eraseHistory ? .eraseUser : .deleteUser, removed.audited)
            guard removed.wasThere else { throw user.noState(of: id) }
        }
    }
}
