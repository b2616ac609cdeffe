import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStoring

/// The command that takes a service token back.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Takes a token back; a running server refuses it within a second.",
        discussion: """
            waymark token revoke qd3fwf78ryx2

            The id is the part of the token between the underscores. Whoever finds a leaked token may also give it \
            whole. Revoking is for good; doing it again changes nothing. Exits with 1 where there is no such token.
            """
    )

    @Argument(help: "The token's id, as `token list` shows it, or the token itself.")
    var id: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        guard let id = ServiceTokenID(id) ?? ServiceTokenText(id)?.id else {
            throw CommandError(.usage, "that is no id of a token; `waymark token list` shows them.")
        }
        let workspace = Workspace(settings: try shared.settings())
        let isKnown = try await workspace.withStore { store in try await store.revoke(id, at: Clock.now()) }
        guard isKnown else { throw CommandError(.no, "there is no token \(id.text).") }
        print("\(id.text) is revoked")
    }
}
