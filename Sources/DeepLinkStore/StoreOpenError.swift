import Foundation
import GRDB

/// Says why a database file cannot be used, and what to do about it.
package enum StoreOpenError: Error, CustomStringConvertible {
    /// The file or its folder cannot be opened or written.
    case unreachable(path: String, reason: String)

    /// The file is no SQLite database, or is damaged.
    case damaged(path: String, reason: String)

    /// Another process keeps the file locked.
    case locked(path: String)

    /// A newer version of this program has changed the schema.
    case newerSchema(path: String)

    /// The file cannot be kept in WAL mode with `synchronous=FULL`, so writes could be lost.
    case notDurable(synchronous: Int?, journalMode: String?)

    /// Translates an error of opening or migrating a file.
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = .unreachable(path: path, reason: error.localizedDescription)
            return
        }
        let reason = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .damaged(path: path, reason: reason)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
        default: self = .unreachable(path: path, reason: reason)
        }
    }

    package var description: String {
        switch self {
        case .unreachable(let path, let reason):
            "Cannot use the database \(path): \(reason). Check that the folder exists and can be written, "
                + "or choose another file with --database."
        case .damaged(let path, let reason):
            "The database \(path) is damaged or no SQLite file: \(reason). Restore it from a backup, "
                + "or choose another file with --database."
        case .locked(let path):
            "Another process keeps the database \(path) locked. Stop it, or choose another file with --database."
        case .newerSchema(let path):
            "A newer version of waymark has written the database \(path). Run that version, or restore a backup."
        case .notDurable(let synchronous, let journalMode):
            "The database does not run in WAL mode with synchronous=FULL (journal_mode=\(journalMode ?? "?"), "
                + "synchronous=\(synchronous.map(String.init) ?? "?")), so acknowledged writes could be lost. "
                + "Choose a local file system with --database."
        }
    }
}
