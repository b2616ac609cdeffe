import ArgumentParser
import DeepLinkCore
import DeepLinkStoring

/// The arguments of a command about one user.
struct UserOptions: ParsableArguments {
    @Argument(help: "The user's id.")
    var id: String

    @OptionGroup var shared: SharedOptions

    /// Runs a body with a user who may have a state, and the store of a file that must be there.
    func withStore<Result>(_ body: (UserID, any OpenStore) async throws -> Result) async throws -> Result {
        let user = try UserArgument.storedID(id)
        let workspace = Workspace(settings: try shared.settings())
        return try await workspace.withStore(named: true) { store in try await body(user, store) }
    }

    /// Returns the error of a command that finds nothing to show or delete.
    func noState(of user: UserID) -> CommandError {
        CommandError(.no, "there is no state of the user `\(user.text)`.")
    }
}
