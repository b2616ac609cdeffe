import ArgumentParser
import DeepLinkPostgres
import DeepLinkSQLite
import DeepLinkStorage
import Foundation

/// The command that moves a SQLite file into a PostgreSQL database.
struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Moves a SQLite file into an empty PostgreSQL database, and reads every row back.",
        discussion: """
            waymark database copy var/waymark.sqlite postgres://waymark@db/waymark

            Moves users with their versions and histories, service tokens, continuations with their signing key, the \
            responses stored for retried requests, and the counts of link uses. Clients notice only the pause. Stop \
            the server of the file first. The file isn't changed. The move is one transaction, so if any row differs, \
            nothing is moved.
            """
    )

    @Argument(help: "The SQLite file.")
    var from: String

    @Argument(help: "The URI of the PostgreSQL database.")
    var to: String

    func run() async throws {
        guard case .postgres(let target) = try DatabaseLocation(to) else {
            throw CommandError.usage("`\(to)` isn't a PostgreSQL database. Write postgres://user@host:port/name.")
        }
        let path = try DatabaseLocation(from).path(or: "Only a SQLite file is copied.")
        guard try DatabaseLocation.exists(fileAt: path) else {
            throw CommandError.unavailable("the database \(path) does not exist.")
        }
        do {
            // Opened like a server, so that no other process writes meanwhile.
            let source = try SQLiteStore(path: path, use: .serving, maximumCachedUsers: 0)
            defer { try? source.close() }
            try await source.verify()
            let keyFile = FileManager.default.contents(atPath: path + ".key")
            let counts = try await DatabaseCopy.run(
                to: target,
                metadata: source.metadata(),
                continuationKey: keyFile.map { Array($0) },
                contents: { body in try source.visitContents(body) }
            )
            func count(_ kind: StoredRow.Kind) -> Int { counts[kind, default: 0] }
            print(
                """
                \(target.description): \(count(.state).counted("user")), \(count(.change).counted("change")), \
                \(count(.token).counted("token")), \(count(.redemption).counted("continuation")), \
                \(count(.answer).counted("answer")), \(count(.erased)) erased, \
                \(count(.count).counted("count")), \(count(.shortLink).counted("short link")); \
                every row was read back and is the same
                """
            )
        } catch {
            throw CommandError.translated(error)
        }
    }
}

/// The group of the commands about databases.
package struct DatabaseCommand: AsyncParsableCommand {
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
        abstract: "Creates or upgrades the tables, as a role with the permission to do so.",
        discussion: """
            waymark database migrate --database postgres://waymark_owner@db/waymark

            Servers do the same when they start. If their role may only read and write rows, run this first. Servers of the \
            previous version continue meanwhile.
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = try shared.workspace()
        let report = try await workspace.withStore(named: true, creating: true) { store in try store.report() }
        print(report.properties.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}
