import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import DeepLinkUsers
import Foundation

/// The command that creates a service token and shows it once.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Makes a token and prints it, the only time that it can be seen.",
        discussion: """
            TOKEN=$(waymark token create --role resolver --expires 90d)

            The token alone goes to standard output; standard error names the database, which must be the server's. It \
            keeps only the token's SHA-256 digest: if you lose a token, revoke it and create another. Before the first \
            `waymark serve`, --create makes the database.

            With --output, the token goes into a new file that only its owner may read, and not into a terminal or a log:

            waymark token create --role admin --create --output admin.token
            """
    )

    @Option(help: "The role of the token: a resolver resolves links for any user, an admin does everything.")
    var role: Role

    @Option(
        help: ArgumentHelp(
            """
            The expiry: a moment such as 2027-01-01T00:00:00Z, or a time from now such as 90d, 12h or 30m. Default: \
            none, until it is revoked.
            """,
            valueName: "time"
        )
    )
    var expires: String?

    @Option(help: ArgumentHelp("The purpose of the token, shown by `token list`.", valueName: "text"))
    var note: String = ""

    @Option(
        help: ArgumentHelp(
            "The file to write it to in place of standard output; there must be none of that name.",
            valueName: "file"
        )
    )
    var output: String?

    @Option(help: "The output: the token alone, or an object with its id, role and times as well.")
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
        let shown =
            switch format {
            case .json: ServiceTokenBody(token, text: text.text, at: now).json
            case .text: Array(text.text.utf8)
            }
        let output = output
        try await workspace.withStore(named: true, creating: new.create) { store in
            // The file comes first: a token that nobody has seen would stay in the list for ever.
            if let output { try Self.write(shown, to: output) }
            do {
                try await store.add(token)
            } catch {
                if let output { unlink(output) }
                throw error
            }
        }
        if let output {
            StandardError.print("waymark: the token is in \(output); `token revoke \(text.id.text)` ends it.")
            return
        }
        print(String(decoding: shown, as: UTF8.self))
        if format == .text {
            StandardError.print(
                "waymark: keep it now, it cannot be shown again; `token revoke \(text.id.text)` ends it."
            )
        }
    }

    /// Writes the output into a new file.
    private static func write(_ shown: [UInt8], to path: String) throws(CommandError) {
        do throws(NewFile.Failure) {
            try NewFile.write(shown + [UInt8(ascii: "\n")], to: path)
        } catch {
            throw CommandError(
                .unavailable,
                message: error.isTaken
                    ? "there is \(path) already, and nothing is overwritten. No token was made; name another file."
                    : "cannot write \(path): \(error.reason). No token was made."
            )
        }
    }
}
