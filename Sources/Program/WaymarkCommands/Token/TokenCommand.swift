import ArgumentParser

/// The group of the commands about service tokens.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, lists and revokes the tokens that services call the API with, and waits for the first.",
        discussion: """
            TOKEN=$(waymark token create --role resolver --note "push sender")
            curl -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8080/v1/resolve?link=navigation:/onboarding'

            A resolver resolves links for any user, builds links and reads the catalog; a granter writes \
            the grants that its token names; an admin also reads and writes user states. Tokens are kept in the server's database: name the same --database as for \
            `waymark serve`, which needs no restart and follows within a second.

            Without any token, a server on loopback is open to everyone. Once there is one, every call needs one, also \
            after the last is revoked.
            """,
        subcommands: [
            TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self, TokenWaitCommand.self,
        ]
    )
}
