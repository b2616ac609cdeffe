import ArgumentParser

/// Groups the commands about service tokens.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes and takes back the tokens by which services call the API; a running server follows.",
        discussion: """
            waymark token create --role resolver --note "push sender"
            curl -H "Authorization: Bearer wm_…" 'http://127.0.0.1:8080/v1/resolve?link=…'

            Without any token, a server on loopback is open to everyone. Once there is one, every call needs one, also \
            after the last is revoked. Roles: resolver resolves for any user, admin also reads and writes users.
            """,
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
    )
}
