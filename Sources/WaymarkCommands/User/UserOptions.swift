import ArgumentParser
import DeepLinkCore
import DeepLinkStorage
import DeepLinkUsers

/// The arguments of a command about one user.
struct UserOptions: ParsableArguments {
    @Argument(help: "The user's id.")
    var id: String

    @OptionGroup var shared: SharedOptions

    /// Runs a body with a user who may have a state, and the store of an existing file.
    func withStore<Result>(
        _ body: (UserID, any OpenStore, AccessNames) async throws -> Result
    ) async throws -> Result {
        let user = try UserArgument.storedID(id)
        let workspace = Workspace(settings: try shared.settings())
        return try await workspace.withStore(named: true) { store in
            let names = try await workspace.names(ofCatalog: shared.catalog != nil, in: store)
            return try await body(user, store, names)
        }
    }

    /// Returns the error of a command without a state to show or delete.
    func noState(of user: UserID) -> CommandError {
        CommandError(.no, message: "the user `\(user.text)` has no state.")
    }
}
