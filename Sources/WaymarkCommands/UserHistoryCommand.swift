import ArgumentParser
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStore

/// Shows every change of one user.
struct UserHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows every change of one user, oldest first; exits with 1 where there is none."
    )

    @Argument(help: "The user's id.")
    var id: String

    @Option(help: "How to print the changes: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let id = try UserArgument.id(id)
        let workspace = Workspace(settings: try await shared.settings())
        let changes = try await workspace.withExistingStore { store in try store.history(of: id) }
        guard !changes.isEmpty else { throw CommandFailure(.no, "the user `\(id.text)` was never set.") }
        guard format == .text else { return JSONOutput.print(UserHistoryBody(changes)) }
        var table = TextTable()
        for change in changes {
            table.append([
                "version \(change.version)", change.level?.name ?? "deleted", change.at.rfc3339, change.author,
            ])
        }
        for line in table.lines { print(line) }
    }
}
