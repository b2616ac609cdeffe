import ArgumentParser
import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Foundation

/// The command that copies the database.
package struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the database to a new file, consistent and checked, even while a server runs.",
        discussion: """
            waymark backup "/backups/waymark-$(date +%F).sqlite"

            The copy has every change that was acknowledged before it began. It is written next to its final path and \
            checked row by row. If the command exits with 0, the copy is on disk, otherwise the file doesn't exist. An \
            existing file isn't replaced. The key that signs continuations is in another file, the database's name \
            with .key, unless it is a setting.

            With --into, the copy gets a name with its time in a folder, which is created if needed, such as \
            waymark-20261122T020000Z.sqlite. The key files next to the database are copied as well. With --keep, the \
            oldest copies of this form are removed:

            waymark backup --into /var/lib/waymark/backups --keep 30

            To restore: stop the server, `waymark restore` the copy, and start.
            """
    )

    @Argument(help: "The file to create, in an existing folder.")
    var file: String?

    @Option(help: ArgumentHelp("The folder for a file with its time in its name.", valueName: "folder"))
    var into: String?

    @Option(
        help: ArgumentHelp("The number of copies to keep in that folder, 1 or more. Default: all.", valueName: "count")
    )
    var keep: Int?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard (file == nil) != (into == nil) else {
            throw ValidationError("Name the file to make, or the folder by --into.")
        }
        guard keep.map({ into != nil && $0 > 0 }) ?? true else {
            throw ValidationError("--keep is a number from 1 on, and for copies in a folder (--into) alone.")
        }
    }

    func run() async throws {
        let path = try shared.settings().database
            .path(
                or:
                    "PostgreSQL's own tools make its backups: `pg_dump`, or `pg_basebackup` with the log for any moment since."
            )
        guard try DatabaseLocation.exists(fileAt: path) else {
            throw CommandError.unavailable("the database \(path) does not exist. Name another with --database.")
        }
        let folder = into.map { BackupFolder(path: $0) }
        try folder?.create()
        let file = file ?? folder?.newFile(at: SystemClock.now()) ?? ""
        let backup = try CommandError.translate { try DatabaseBackup(of: path, to: file) }
        print(
            "\(file): \(backup.userCount.counted("user")), \(backup.changeCount.counted("change")), "
                + "\(backup.tokenCount.counted("token")), \(backup.byteCount) bytes"
        )
        try folder?.copyKeys(of: path, beside: file)
        if let keep { try folder?.prune(keeping: keep) }
    }
}

/// A folder of copies of a database, each with its time in its name.
private struct BackupFolder {
    let path: String

    /// Creates the folder if it doesn't exist.
    ///
    /// - Throws: ``CommandError`` of code 69.
    func create() throws(CommandError) {
        do {
            try FileOwner.createFolder(path)
        } catch {
            throw CommandError.unavailable("cannot make the folder \(path): \(error.localizedDescription)")
        }
    }

    /// Returns the name of a copy made at a given time.
    func newFile(at time: Timestamp) -> String {
        let moment = time.rfc3339.utf8.prefix(19).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        return "\(path)/waymark-\(String(decoding: moment, as: UTF8.self))Z.sqlite"
    }

    /// Copies the files of continuation keys next to a database to the names that belong to its copy.
    ///
    /// - Throws: ``CommandError`` of code 69.
    func copyKeys(of database: String, beside copy: String) throws(CommandError) {
        for suffix in [".key", ".key.old"] where FileManager.default.fileExists(atPath: database + suffix) {
            let key = try InputFile.read(database + suffix)
            do throws(NewFile.Failure) {
                try NewFile.write(key, to: copy + suffix)
            } catch {
                throw CommandError.unavailable("cannot write \(copy)\(suffix): \(error.reason)")
            }
        }
    }

    /// Removes the oldest copies with the files next to them, and no other files.
    ///
    /// - Throws: ``CommandError`` of code 69 if the folder cannot be read, or a copy cannot be removed.
    func prune(keeping count: Int) throws(CommandError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandError.unavailable("cannot list \(path), so no old copy is removed.")
        }
        // The names have the same length, so their order is the order of their times.
        let copies = names.filter { $0.wholeMatch(of: /waymark-\d{8}T\d{6}Z\.sqlite/) != nil }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in copies.dropLast(count) {
            for suffix in [".key", ".key.old"] { unlink("\(path)/\(name)\(suffix)") }
            guard unlink("\(path)/\(name)") == 0 else {
                throw CommandError.unavailable("cannot remove \(path)/\(name): \(String(cString: strerror(errno)))")
            }
        }
    }
}
