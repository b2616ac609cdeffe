import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that lists short links.
struct ShortLinksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists short links in the order in which they were made; as JSON, one a line.",
        discussion: """
            waymark short-links list --label newsletter
            waymark short-links list --state broken --catalog next.yaml

            The state is what the catalog says: with the next one, `--state broken` lists the links that it would break.
            """
    )

    /// The states of short links.
    enum State: String, CaseIterable, ExpressibleByArgument {
        case working
        case broken
        case expired
        case withdrawn
    }

    @Option(help: "The route on top of the stack.")
    var route: String?

    @Option(help: "The label.")
    var label: String?

    @Option(help: "The state by the catalog: working, broken, expired or withdrawn.")
    var state: State?

    @Option(help: ArgumentHelp("The user whom links are about.", valueName: "user"))
    var about: String?

    @Option(help: "The output format: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try shared.settings())
        let catalog = try workspace.catalog()
        let now = Clock.now()
        let filter = ShortLinkFilter(
            route: route,
            label: try label.map(ShortLinkArgument.label),
            about: try about.map(UserArgument.storedID),
            standing: standing(at: now)
        )
        try await workspace.withStore(named: true) { store in
            try await ShortLinkPages(store)
                .visit(filter) { links in
                    let found = links.filter { link in
                        guard let state else { return true }
                        return ShortLinkState(of: link.contents, at: now, in: catalog).name.bytewise
                            == state.rawValue.bytewise
                    }
                    ShortLinkOutput.print(found, format: format, catalog: catalog)
                }
        }
    }

    private func standing(at time: Timestamp) -> ShortLinkFilter.Standing {
        switch state {
        case nil: .any
        case .working?, .broken?: .current(at: time)
        case .expired?: .expired(at: time)
        case .withdrawn?: .withdrawn
        }
    }
}
