import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that lists the service tokens.
struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the tokens, the oldest first, without their secrets.",
        discussion: """
            The columns are the token's id, its role with the grants that it can write, the times of its creation and \
            of its expiry or revocation, the last day (in UTC) on which a server accepted it, and its note. Servers \
            store that day within seconds. Expired tokens stay in the list.
            """
    )

    @Option(help: "The output format: a table, or one JSON object per line.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let now = SystemClock.now()
        let workspace = try shared.workspace()
        let tokens = try await workspace.withStore { store in try await store.serviceTokens() }
        guard format == .text else {
            for token in tokens { JSONOutput.print(ServiceTokenBody(token, at: now)) }
            return
        }
        let rows = tokens.map { token in
            [
                token.id.text, ([token.role.rawValue] + token.grants.map(\.text)).joined(separator: " "),
                "created \(token.created.rfc3339)", standing(token, at: now),
                token.lastUsed.map { "used \($0.text)" } ?? "no use noted",
                token.note,
            ]
        }
        print(lines: TextTable(rows).lines)
    }

    private func standing(_ token: ServiceToken, at now: Timestamp) -> String {
        if let revoked = token.revoked { return "revoked \(revoked.rfc3339)" }
        guard let expires = token.expires else { return "no end" }
        return token.isUsable(at: now) ? "until \(expires.rfc3339)" : "expired \(expires.rfc3339)"
    }
}

/// The group of the commands about service tokens.
package struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates, lists and revokes the tokens with which services call the API, and waits for the first.",
        discussion: """
            TOKEN=$(waymark token create --role resolver --note "push sender")
            curl -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8080/v1/resolve?link=navigation:/onboarding'

            A resolver resolves links for any user, builds links and reads the catalog. A granter writes the grants \
            that its token names. An admin also reads and writes user states. Tokens are stored in the server's \
            database: name the same --database as for `waymark serve`, which follows within a second without a \
            restart.

            Without any token, a server on loopback is open to all processes. Once a token exists, every request needs \
            one, even after the last is revoked.
            """,
        subcommands: [
            TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self, TokenWaitCommand.self,
        ]
    )
}
