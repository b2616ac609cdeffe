import ArgumentParser
import DeepLinkSQLite
import Foundation

/// The command that copies the database.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the database to a new file, consistent and checked, also while a server runs.",
        discussion: """
            waymark backup "/backups/waymark-$(date +%F).sqlite"

            The copy holds every change that was acknowledged before it began. It is made beside its place, checked row by \
            row, and on disk when the command exits with 0; otherwise the file doesn't exist. An existing file isn't \
            replaced. \
            The key that signs continuations is in another file, the database's name with .key, unless it is a setting.

            To restore: stop the server, `waymark restore` the copy, and start.
            """
    )

    @Argument(help: "The file to make; its folder must exist.")
    var file: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let path = try shared.settings().database
            .path(
                or:
                    "PostgreSQL's own tools make its backups: `pg_dump`, or `pg_basebackup` with the log for any moment since."
            )
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandError(
                .unavailable,
                message: "the database \(path) does not exist; name another with --database."
            )
        }
        let backup = try CommandError.translate { try DatabaseBackup(of: path, to: file) }
        print(
            "\(file): \(backup.userCount.counted("user")), \(backup.changeCount.counted("change")), "
                + "\(backup.tokenCount.counted("token")), \(backup.byteCount) bytes"
        )
    }
}
