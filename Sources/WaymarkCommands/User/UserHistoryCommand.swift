import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStoring

/// The command that shows the changes of one user.
struct UserHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows the changes of one user that are kept, oldest first; exits with 1 where there is none.",
        discussion: """
            The columns are the version, the level, when it ends, when it was set and by whom. How many changes are kept \
            is a setting, history.maximumCount, and so is their age, history.maximumAge.
            """
    )

    @Option(help: "How to print the changes: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var user: UserOptions

    func run() async throws {
        let changes = try await user.withStore { id, store in
            let changes = try await UserPages(store).history(of: id)
            guard !changes.isEmpty else { throw CommandError(.no, "the user `\(id.text)` was never set.") }
            return changes
        }
        guard format == .text else { return JSONOutput.print(UserHistoryBody(changes)) }
        var table = TextTable()
        for change in changes {
            table.append([
                "version \(change.version)", change.grant?.level.name ?? "deleted",
                change.grant?.validUntil.map { "valid until \($0.rfc3339)" } ?? "", change.at.rfc3339, change.author,
            ])
        }
        for line in table.lines { print(line) }
    }
}
