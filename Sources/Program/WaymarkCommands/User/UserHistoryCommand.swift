import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that shows the changes of one user.
struct UserHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows the stored changes of one user, oldest first. Exits with 1 if there are none.",
        discussion: """
            The columns are the version, the level, its expiry, the time of the change, its author and the grants. The \
            settings history.maximumCount and history.maximumAge limit the stored changes.
            """
    )

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var user: UserOptions

    func run() async throws {
        let (changes, names) = try await user.withStore { id, store, names in
            let changes = try await ListPages.all { last in
                try await store.history(of: id, after: last?.version ?? 0, limit: ListPages.size)
            }
            guard !changes.isEmpty else { throw CommandError.no("the user `\(id.text)` has no history.") }
            return (changes, names)
        }
        let rows = changes.map { change in
            [
                "version \(change.version)",
                (change.level?.level).map { names.levels.presentName(of: $0).text } ?? "deleted",
                change.level?.validUntil.map { "valid until \($0.rfc3339)" } ?? "",
                change.at.rfc3339, change.author,
                UserOutput.text(of: change.access?.grants ?? [], names: names.grants),
            ]
        }
        let body = PageBody("history", changes.map { UserChangeBody($0, names: names) })
        format.print(body, lines: TextTable(rows).lines)
    }
}
