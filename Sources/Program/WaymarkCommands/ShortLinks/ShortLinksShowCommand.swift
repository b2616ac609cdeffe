import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that shows one short link.
struct ShortLinksShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one short link with its state in the catalog, its destination and its changes.",
        discussion: """
            waymark short-links show spring
            waymark short-links show https://go.shop.example/spring

            Exits with 0, with 1 if no short link has the code, or the link does not work.
            """
    )

    @Argument(help: "The code, or the short link.")
    var code: String

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let code = try ShortLinkArgument.code(code)
        let workspace = try shared.workspace()
        let catalog = try workspace.catalog()
        let (link, changes) = try await workspace.withStore(named: true) { store in
            guard let link = try await store.storedLink(for: code) else {
                throw CommandError.no("no short link has the code `\(code.text)`.")
            }
            let changes = try await ListPages.all { last in
                try await store.history(of: link.code, after: last?.version ?? 0, limit: ListPages.size)
            }
            return (link, changes)
        }
        let state = ShortLinkState(of: link.contents, at: SystemClock.now(), in: catalog)
        switch format {
        case .json: JSONOutput.print(ShortLinkBody(link, state: state, in: catalog, for: .admin))
        case .text: show(link, state, changes, in: catalog)
        }
        guard case .working = state else { throw CommandError(.no, message: nil) }
    }

    private func show(
        _ link: ShortLink,
        _ state: ShortLinkState,
        _ changes: [ShortLinkChange],
        in catalog: RouteCatalog
    ) {
        print("link     \(ShortLinkOutput.address(of: link, in: catalog))")
        print("state    \(state.name)")
        switch state {
        case .working(let target): print("target   \(target.text)")
        case .broken(let problem):
            print("target   \(link.contents.target.text)")
            print("problem  \(problem.code.rawValue): \(problem.detail)")
        case .expired, .withdrawn: print("target   \(link.contents.target.text)")
        }
        print(lines: TextTable(stack: link.contents.target.stack ?? []).lines(named: "stack", width: 9))
        for (name, text) in [
            ("name", link.naming?.name.text), ("label", link.contents.label?.text),
            ("expires", link.contents.expires?.rfc3339), ("about", link.contents.about?.text),
        ] {
            if let text { print(name.padded(to: 9) + text) }
        }
        let history = changes.map { change in
            [
                "version \(change.version)", change.isWithdrawn ? "withdrawn" : change.target.text, change.at.rfc3339,
                change.author,
            ]
        }
        print(lines: TextTable(history).lines(named: "changes", width: 9))
    }
}

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
        let workspace = try shared.workspace()
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
                throw CommandError.no("no short link that works has the code `\(code.text)`.")
            }
            await audit.note([withdrawn])
        }
    }
}
