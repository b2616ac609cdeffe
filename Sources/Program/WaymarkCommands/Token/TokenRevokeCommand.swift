import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

/// The command that revokes a service token.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a token. A running server refuses it within a second.",
        discussion: """
            waymark token revoke qd3fwf78ryx2

            The id is the part of the token between the underscores. A whole token, such as a leaked one, is accepted \
            too. Revoking is permanent, and repeating it changes nothing. Exits with 1 if the token doesn't exist.
            """
    )

    @Argument(help: "The token's id, as `token list` shows it, or the token itself.")
    var id: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        guard let id = ServiceTokenID(id) ?? ServiceTokenText(id)?.id else {
            throw CommandError(.usage, message: "that isn't the id of a token. `waymark token list` shows the ids.")
        }
        let workspace = Workspace(settings: try shared.settings())
        let audit = workspace.auditUnlessUnavailable()
        let isKnown = try await workspace.withStore { store in
            let former = try await store.serviceTokens().first { $0.id == id }
            let now = SystemClock.now()
            let isKnown = try await store.revoke(id, at: now)
            if let former, former.revoked == nil {
                let revoked = former.revoked(at: now)
                await audit.note(
                    .revokeToken,
                    of: .token(id),
                    before: .facts(former.auditFacts),
                    after: .facts(revoked.auditFacts)
                )
            }
            return isKnown
        }
        guard isKnown else { throw CommandError(.no, message: "the token \(id.text) does not exist.") }
        print("\(id.text) is revoked")
    }
}
