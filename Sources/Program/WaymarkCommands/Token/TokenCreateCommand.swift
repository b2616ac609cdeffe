import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import Foundation

/// The command that creates a service token and shows it once.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a token and prints it. It cannot be shown again.",
        discussion: """
            TOKEN=$(waymark token create --role resolver --expires 90d)

            Standard output has only the token. Standard error names the database, which must be the server's. It \
            stores only the token's SHA-256 digest: if you lose a token, revoke it and create another. Before the \
            first `waymark serve`, --create creates the database.

            With --output, the token is written to a new file that only its owner can read, not to a terminal or a \
            log:

            waymark token create --role admin --create --output admin.token
            """
    )

    @Option(
        help:
            "The role of the token. A resolver resolves links for any user, a publisher also makes short links, a granter writes grants, a monitor reads metrics, reports and counts, and an admin may do everything."
    )
    var role: Role

    @Option(help: ArgumentHelp("The grants that a granter can write, such as pro,kyc.", valueName: "names"))
    var grants: String?

    @Option(
        help: ArgumentHelp(
            """
            The expiry: a time such as 2027-01-01T00:00:00Z, or a duration from now such as 90d, 12h or 30m. Default: \
            none, until it is revoked.
            """,
            valueName: "time"
        )
    )
    var expires: String?

    @Option(help: ArgumentHelp("The purpose of the token, shown by `token list`.", valueName: "text"))
    var note: String = ""

    @Option(
        help: ArgumentHelp("The new file to write the token to, instead of standard output.", valueName: "file")
    )
    var output: String?

    @Option(help: "The output: the token alone, or an object that also has its id, role and times.")
    var format: OutputFormat = .text

    @OptionGroup var new: NewDatabaseOption

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let now = SystemClock.now()
        let end = try expires.map { try ExpiryArgument.moment($0, from: now) }
        let grants = try grantNames()
        let text = ServiceTokenText()
        let token = ServiceToken(
            id: text.id,
            digest: Array(text.digest),
            role: role,
            grants: grants,
            note: note,
            created: now,
            expires: end
        )
        let workspace = try shared.workspace()
        let shown =
            switch format {
            case .json: ServiceTokenBody(token, text: text.text, at: now).json
            case .text: Array(text.text.utf8)
            }
        let output = output
        let audit = try workspace.audit()
        try await workspace.withStore(named: true, creating: new.create) { store in
            try await check(grants, by: workspace.names(ofCatalog: shared.catalog != nil, in: store).grants)
            // The file comes first: a token that was never shown would stay in the list forever.
            if let output { try Self.write(shown, to: output) }
            do {
                try await store.add(token)
            } catch {
                if let output { unlink(output) }
                throw error
            }
            await audit.note(.createToken, of: .token(token.id), after: .facts(token.auditFacts))
        }
        if let output {
            StandardError.print("waymark: the token is in \(output). `token revoke \(text.id.text)` revokes it.")
            return
        }
        print(String(decoding: shown, as: UTF8.self))
        if format == .text {
            StandardError.print(
                "waymark: keep it now, it cannot be shown again; `token revoke \(text.id.text)` ends it."
            )
        }
    }

    /// Reads the grants, which are required for granters and refused for other roles.
    private func grantNames() throws(CommandError) -> [GrantName] {
        guard role == .granter else {
            guard grants == nil else {
                throw CommandError.usage("--grants is for the role granter, not for \(role.rawValue).")
            }
            return []
        }
        let texts = (grants ?? "").utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
        let names = texts.compactMap(GrantName.init)
        guard !names.isEmpty, names.count == texts.count, Set(names).count == names.count,
            names.count <= GrantList.maximumCount
        else {
            throw CommandError.usage(
                "--role granter needs the grants that the token may write, each once: `--grants pro,kyc`."
            )
        }
        return names
    }

    /// Checks grants against the names of the catalog, unless no catalog was in force yet.
    private func check(_ grants: [GrantName], by names: GrantNames) throws(CommandError) {
        guard shared.catalog != nil || !names.written.isEmpty else { return }
        for name in grants { _ = try GrantArgument.name(name.text, among: names) }
    }

    /// Writes the output to a new file.
    private static func write(_ shown: [UInt8], to path: String) throws(CommandError) {
        do throws(NewFile.Failure) {
            try NewFile.write(shown + [UInt8(ascii: "\n")], to: path)
        } catch {
            throw CommandError.unavailable(
                error.isTaken
                    ? "\(path) exists already, and nothing is overwritten. No token was made. Name another file."
                    : "cannot write \(path): \(error.reason). No token was made."
            )
        }
    }
}
