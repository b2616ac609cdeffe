import ArgumentParser
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStore

/// Makes a service token and shows it, once.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Makes a token and prints it: the only time that it can be seen.",
        discussion: """
            TOKEN=$(waymark token create --role resolver --expires 90d)

            The token alone goes to standard output. The database keeps its SHA-256 digest.
            """
    )

    @Option(help: "What its holder may do: resolver or admin.")
    var role: Role

    @Option(help: "When it ends: a moment such as 2027-01-01T00:00:00Z, or a time from now such as 90d, 12h or 30m.")
    var expires: String?

    @Option(help: "What it is for, to tell tokens apart in the list.")
    var note: String = ""

    @Option(help: "How to print the token: text or json.")
    var format: OutputFormat = .text

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
        let workspace = Workspace(settings: try await shared.settings())
        try await workspace.withStore { store in try await store.add(token) }
        switch format {
        case .json: JSONOutput.print(ServiceTokenBody(token, text: text, at: now))
        case .text:
            print(text.text)
            StandardError.print(
                "waymark: keep it now, it cannot be shown again; `token revoke \(text.id.text)` ends it."
            )
        }
    }
}
