import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStoring

/// The command that makes a service token and shows it, once.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Makes a token and prints it, the only time that it can be seen.",
        discussion: """
            TOKEN=$(waymark token create --role resolver --expires 90d)

            The token alone goes to standard output; standard error names the database, which must be the server's. It \
            keeps only the token's SHA-256 digest: whoever loses a token revokes it and makes another. Before the first \
            `waymark serve`, --create makes the database.
            """
    )

    @Option(help: "What its holder may do: a resolver resolves links for any user, an admin does everything.")
    var role: Role

    @Option(
        help: ArgumentHelp(
            """
            When it ends: a moment such as 2027-01-01T00:00:00Z, or a time from now such as 90d, 12h or 30m. Default: \
            when it is revoked.
            """,
            valueName: "time"
        )
    )
    var expires: String?

    @Option(help: ArgumentHelp("What it is for, to tell tokens apart in `token list`.", valueName: "text"))
    var note: String = ""

    @Option(help: "What to print: the token alone, or an object with its id, role and times as well.")
    var format: OutputFormat = .text

    @OptionGroup var new: NewDatabaseOption

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let now = Clock.now()
        let end = try expires.map { try ExpiryArgument.moment($0, from: now) }
        let text = ServiceTokenText()
        let token = ServiceToken(
            id: text.id,
            digest: Array(text.digest),
            role: role,
            note: note,
            created: now,
            expires: end
        )
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withStore(named: true, creating: new.create) { store in try await store.add(token) }
        switch format {
        case .json: JSONOutput.print(ServiceTokenBody(token, text: text.text, at: now))
        case .text:
            print(text.text)
            StandardError.print(
                "waymark: keep it now, it cannot be shown again; `token revoke \(text.id.text)` ends it."
            )
        }
    }
}
