import ArgumentParser
import DeepLinkCore
import DeepLinkStore

/// Lists all user states.
struct UserListCommand: AsyncParsableCommand {
    private static let pageSize = 1000

    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists all user states in the order of their ids; as JSON, one a line."
    )

    @Option(help: "How to print the states: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try await shared.settings())
        try await workspace.withExistingStore { store in
            var last: UserID?
            while true {
                let page = try store.states(after: last, limit: Self.pageSize)
                UserOutput.print(page, format)
                guard page.count == Self.pageSize else { return }
                last = page.last?.id
            }
        }
    }
}
