import ArgumentParser
import DeepLinkCore
import DeepLinkStorage

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

    /// Runs a body that changes a user who may have a state, with the store of an existing file and the audit log.
    func withAuditedStore<Result>(
        _ body: (UserID, any OpenStore, AccessNames, CommandAudit) async throws -> Result
    ) async throws -> Result {
        let audit = try Workspace(settings: try shared.settings { _ in }).audit()
        return try await withStore { user, store, names in try await body(user, store, names, audit) }
    }

    /// Returns the error of a command without a state to show or delete.
    func noState(of user: UserID) -> CommandError {
        CommandError(.no, message: "the user `\(user.text)` has no state.")
    }
}
