import ArgumentParser
import DeepLinkStorage

/// The group of the commands about databases.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Moves stored data into another database, and upgrades its tables.",
        subcommands: [DatabaseCopyCommand.self, DatabaseMigrateCommand.self]
    )
}

/// The command that upgrades the tables.
struct DatabaseMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Makes the tables, or brings them up to date, by a role that may.",
        discussion: """
            waymark database migrate --database postgres://waymark_owner@db/waymark

            Servers do the same when they start. If their role may only read and write rows, run this first. Servers of the \
            previous version continue meanwhile.
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try shared.settings())
        let report = try await workspace.withStore(named: true, creating: true) { store in try store.report() }
        print(report.properties.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}
