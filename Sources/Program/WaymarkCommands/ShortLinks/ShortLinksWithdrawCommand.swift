import ArgumentParser
import DeepLinkStorage

/// The command that withdraws one short link.
struct ShortLinksWithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraws one short link. Its code stops working and stays taken. Exits with 1 if it doesn't exist.",
        discussion: """
            waymark short-links withdraw spring

            `short-links make … --code spring --replace` makes it work again.
            """
    )

    @Argument(help: "The code, or the short link.")
    var code: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let code = try ShortLinkArgument.code(code)
        let workspace = Workspace(settings: try shared.settings())
        let audit = try workspace.audit()
        try await workspace.withStore(named: true) { store in
            let link = try await store.storedLink(for: code)
            let removal = link.map { link in
                ShortLinkRemoval(
                    code: link.code,
                    time: SystemClock.now(),
                    author: UserOutput.author,
                    isAudited: audit.isKept
                )
            }
            guard let removal, let withdrawn = try await store.withdraw(removal) else {
                throw CommandError(.no, message: "no short link that works has the code `\(code.text)`.")
            }
            await audit.note([withdrawn])
        }
    }
}
