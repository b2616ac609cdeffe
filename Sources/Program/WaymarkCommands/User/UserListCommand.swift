import ArgumentParser
import DeepLinkCore
import DeepLinkStorage

/// The command that lists all user states.
struct UserListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists all user states in the order of their ids; as JSON, one a line."
    )

    @Option(help: "The output format: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withStore(named: true) { store in
            let names = try await workspace.names(ofCatalog: shared.catalog != nil, in: store)
            try await UserPages(store).visit { UserOutput.print($0, format: format, names: names) }
        }
    }
}
