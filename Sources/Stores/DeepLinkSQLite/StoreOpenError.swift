import DeepLinkStorage
import Foundation
import GRDB

/// The reason why a database file cannot be used, with its remedy.
package enum StoreOpenError: StoreError {
    /// The file or its folder cannot be opened or written.
    case unreachable(path: String, reason: String)

    /// The file isn't a SQLite database, or is damaged.
    case damaged(path: String, reason: String)

    /// The file or its folder is read-only for this process.
    case readOnly(path: String)

    /// The path is a folder.
    case folder(path: String)

    /// The file has other names, through which another process could bypass this one's locks and log.
    case hardLinked(path: String, nameCount: Int)

    /// The disk has no space for the files that SQLite keeps beside the database.
    case diskFull(path: String)

    /// Another server runs on the file. Its process id, if known.
    case served(path: String, by: Int?)

    /// Another process keeps the file locked.
    case locked(path: String)

    /// A newer version of this program has changed the schema.
    case newerSchema(path: String)

    /// A server of an earlier version runs on the file, and upgrading the schema would make the file unusable for it.
    case servedByOlder(path: String)

    /// The file must be upgraded, and the requested copy from before cannot be made.
    case noCopy(path: String, reason: String)

    /// The file cannot be used in WAL mode with `synchronous=FULL`, so writes could be lost.
    case notDurable(synchronous: Int?, journalMode: String?)

    /// Creates the error for a failure to open or migrate a file.
    init(_ error: any Error, path: String) {
        if !(error is DatabaseError), let damage = Self.damage(error, path: path) {
            self = damage
            return
        }
        guard let error = error as? DatabaseError else {
            self = .unreachable(path: path, reason: error.localizedDescription)
            return
        }
        let reason = "\(error.message ?? "no message") (\(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_CANTOPEN where Self.isForbidden(path): self = .readOnly(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .damaged(path: path, reason: reason)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
        default: self = .unreachable(path: path, reason: reason)
        }
    }

    /// Returns the damage of the file that an error reports, or `nil` for an error of another kind.
    static func damage(_ error: any Error, path: String) -> StoreOpenError? {
        switch error {
        case let error as DamagedRowError: .damaged(path: path, reason: "\(error)")
        case is RowDecodingError: .damaged(path: path, reason: "a row holds NULL or values of another type")
        case let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode):
            StoreOpenError(error, path: path)
        default: nil
        }
    }

    /// Returns whether the file exists and this process may not read and write it.
    private static func isForbidden(_ path: String) -> Bool { access(path, R_OK | W_OK) != 0 && errno == EACCES }

    /// Whether the file's content is damaged, as opposed to a failure of the environment.
    package var isDamage: Bool { if case .damaged = self { true } else { false } }

    package var description: String {
        switch self {
        case .unreachable(let path, let reason):
            "Cannot use the database \(path): \(reason). Check that the folder exists and can be written and "
                + "that the disk is in order and has room, or choose another file with --database."
        case .damaged(let path, let reason):
            "The database \(path) is damaged or isn't a SQLite file: \(reason). Restore it from a backup, "
                + "or choose another file with --database."
        case .readOnly(let path):
            "The database \(path) cannot be written"
                + (FileOwner.description(ofFileAt: path)
                    .map { ": \($0), and this process is \(FileOwner.name(of: geteuid()))'s" } ?? "")
                + ". Give this user the right to write the file and its folder, where "
                + "SQLite keeps its log, or choose another file with --database."
        case .folder(let path):
            "The database \(path) is a folder. Name a file in it with --database, such as \(path)/waymark.sqlite."
        case .hardLinked(let path, let nameCount):
            "The database \(path) has \(nameCount) names (hard links). SQLite keeps the log beside each name, so two of "
                + "them in use would damage the file. Remove the other names (find -samefile), or copy the file and "
                + "choose the copy with --database."
        case .diskFull(let path):
            "The disk of the database \(path) is full. Make room, or choose another file with --database."
        case .served(let path, let process):
            "Another server\(process.map { " (process \($0))" } ?? "") serves the database \(path); a file has one server. "
                + "Stop that one, or choose another file with --database."
        case .locked(let path):
            "Another process keeps the database \(path) locked. Stop it, or choose another file with --database."
        case .newerSchema(let path):
            "A newer version of waymark has written the database \(path). Run that version, or put a backup of before its "
                + "upgrade in its place with `waymark restore`; changes since the backup are then lost."
        case .servedByOlder(let path):
            "A server of an earlier version serves the database \(path), and this version would change its tables. Restart "
                + "the server with this version first, or use the command of the server's version."
        case .noCopy(let path, let reason):
            "The database \(path) has to be upgraded, and the copy that --backup-before-upgrade wants cannot be made, so "
                + "nothing was changed: \(reason)"
        case .notDurable(let synchronous, let journalMode):
            "The database does not run in WAL mode with synchronous=FULL (journal_mode=\(journalMode ?? "?"), "
                + "synchronous=\(synchronous.map(String.init) ?? "?")), so acknowledged writes could be lost. "
                + "Choose a local file system with --database."
        }
    }
}
