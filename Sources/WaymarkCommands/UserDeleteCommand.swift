import ArgumentParser
import DeepLinkCore
import DeepLinkStore

/// Deletes one user's state.
struct UserDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes one user's state; exits with 1 where there is none."
    )

    @Argument(help: "The user's id.")
    var id: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let id = try UserArgument.storedID(id)
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withExistingStore { store in
            let removal = UserStateRemoval(id: id, time: Clock.now(), author: UserOutput.author)
            guard try await store.remove(removal) else {
                throw CommandFailure(.no, "there is no state of the user `\(id.text)`.")
            }
        }
    }
}
