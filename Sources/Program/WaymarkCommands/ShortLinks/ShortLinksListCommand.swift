import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that lists short links.
struct ShortLinksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists short links in the order in which they were made. As JSON, one per line.",
        discussion: """
            waymark short-links list --label newsletter
            waymark short-links list --state broken --catalog next.yaml

            The state depends on the catalog: with the next one, `--state broken` lists the links that it would break.
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

    @Option(help: "The state in the catalog: working, broken, expired or withdrawn.")
    var state: State?

    @Option(help: ArgumentHelp("The user that links are about.", valueName: "user"))
    var about: String?

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = try shared.workspace()
        let catalog = try workspace.catalog()
        let now = SystemClock.now()
        let filter = ShortLinkFilter(
            route: route,
            label: try label.map(ShortLinkArgument.label),
            about: try about.map(UserArgument.storedID),
            storedState: storedState(at: now)
        )
        try await workspace.withStore(named: true) { store in
            try await store.visitShortLinks(filter) { links in
                let found = links.filter { link in
                    guard let state else { return true }
                    let found = ShortLinkState(of: link.contents, at: now, in: catalog).name
                    return found.bytewise == state.rawValue.bytewise
                }
                ShortLinkOutput.print(found, format: format, catalog: catalog)
            }
        }
    }

    private func storedState(at time: Timestamp) -> ShortLinkFilter.StoredState {
        switch state {
        case nil: .any
        case .working?, .broken?: .current(at: time)
        case .expired?: .expired(at: time)
        case .withdrawn?: .withdrawn
        }
    }
}

extension ShortLinkStore {
    /// Calls a body with the links of each page that pass a filter, in the order of their creation.
    func visitShortLinks(_ filter: ShortLinkFilter, _ body: ([ShortLink]) throws -> Void) async throws {
        var next: ShortLinkPosition?
        repeat {
            let page = try await shortLinks(filter, after: next, limit: ListPages.size)
            try body(page.links)
            next = page.next
        } while next != nil
    }
}

enum ShortLinkOutput {
    /// Prints one line for each link, with its state in a catalog.
    static func print(_ links: [ShortLink], format: OutputFormat, catalog: RouteCatalog) {
        let now = SystemClock.now()
        var table = TextTable()
        for link in links {
            let state = ShortLinkState(of: link.contents, at: now, in: catalog)
            switch format {
            case .json: JSONOutput.print(ShortLinkBody(link, state: state, in: catalog, for: .admin))
            case .text:
                table.append([
                    address(of: link, in: catalog),
                    state.name,
                    link.contents.target.text,
                    link.contents.label.map { "label \($0.text)" } ?? "",
                    link.contents.expires.map { "until \($0.rfc3339)" } ?? "",
                ])
            }
        }
        table.printPage()
    }

    /// Returns the short link's URL, or its code alone for a catalog without short links.
    static func address(of link: ShortLink, in catalog: RouteCatalog) -> String {
        let code = link.code.text
        return catalog.shortLink(code, host: link.contents.host) ?? catalog.shortLink(code) ?? code
    }
}
