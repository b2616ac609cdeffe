import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// A copy of a database file, made while a server writes to it.
///
/// `VACUUM INTO` (sqlite.org/lang_vacuum.html) copies the snapshot of one read transaction. Unlike SQLite's backup
/// (sqlite.org/c3ref/backup_finish.html), it neither waits for writes nor restarts because of them. The copy is made
/// beside its target, checked and synced, and only then renamed to it.
package struct DatabaseBackup: Sendable {
    /// The number of users in the copy.
    package let userCount: Int

    /// The number of changes of users in the copy.
    package let changeCount: Int

    /// The number of service tokens in the copy.
    package let tokenCount: Int

    /// The size of the copy, in bytes.
    package let byteCount: Int

    /// Copies the database at a path to a target where no file exists yet.
    ///
    /// The database is only read: its schema is not upgraded, and its write-ahead log is not checkpointed.
    ///
    /// - Throws: ``StoreOpenError`` if the database cannot be read or the copied data is damaged. ``BackupError`` if
    ///   the copy cannot be written.
    package init(of path: String, to target: String) throws {
        guard !DatabaseFile.exists(target) else { throw BackupError.exists(target) }
        let file = DatabaseFile(target)
        let partial = DatabaseFile(target + ".\(getpid())-partial")
        defer { partial.remove() }
        let least: Int64
        do {
            let source = try Self.open(path)
            defer { try? source.close() }
            try source.read(Schema.requireSoundness)
            guard try !source.read(Schema.migrator.hasBeenSuperseded) else {
                throw StoreOpenError.newerSchema(path: path)
            }
            least = try source.read(Self.lastChange)
            // SQLite treats an empty file as a new database, and keeps its mode.
            guard partial.create() else { throw BackupError(partial.path) }
            do {
                try source.writeWithoutTransaction { database in
                    try database.execute(sql: "VACUUM INTO ?", arguments: [partial.path])
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                throw BackupError.failed(target, reason: "the disk is full")
            }
            let copy = try Self.open(partial.path)
            defer { try? copy.close() }
            (userCount, changeCount, tokenCount) = try copy.read { try Self.check($0, of: path, from: least) }
        } catch let error as any StoreError {
            throw error
        } catch {
            throw StoreOpenError(error, path: path)
        }
        byteCount = partial.byteCount
        guard partial.sync(), partial.rename(to: file), file.syncFolder() else { throw BackupError(target) }
    }

    /// Opens a read-only connection, so that closing it does not checkpoint the log.
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "waymark.backup"
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Returns the sequence number of the last change, which the copy must contain.
    private static func lastChange(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(sequence) FROM user_history") ?? 0
    }

    /// Checks a copy as a whole and each of its rows, and counts the rows.
    private static func check(
        _ database: Database,
        of path: String,
        from least: Int64
    ) throws -> (users: Int, changes: Int, tokens: Int) {
        let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(3)")
        guard lines == ["ok"] else { throw StoreOpenError.damaged(path: path, reason: lines.joined(separator: "; ")) }
        guard try lastChange(database) >= least else {
            throw StoreOpenError.damaged(path: path, reason: "its copy lacks changes that it had before")
        }
        func count(_ table: String) throws -> Int {
            // The first schemas lacked tokens.
            guard try database.tableExists(table) else { return 0 }
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
        let counts = (try count("user_state"), try count("user_history"), try count("service_token"))
        // Rows of earlier schemas lack checksums.
        guard try Schema.migrator.hasCompletedMigrations(database) else { return counts }
        var found = 0
        try UserStateRecord.visit(database) { _ in found += 1 }
        try UserHistoryRecord.visit(database)
        try ShortLinkReader(texts: InternedTexts(), database: database).checkAll()
        guard found == counts.0, try ServiceTokenRecord.all(database).count == counts.2 else {
            throw DamagedRowError(table: UserStateRecord.table)
        }
        return counts
    }
}

/// The reason why a copy of a database cannot be written, with its remedy.
package enum BackupError: StoreError {
    /// A file exists at the target path.
    case exists(String)

    /// The system refused to write.
    case failed(String, reason: String)

    /// Creates the error from the system's last error (`errno`).
    init(_ path: String) {
        self = errno == EEXIST ? .exists(path) : .failed(path, reason: String(cString: strerror(errno)))
    }

    package var isDamage: Bool { false }

    package var description: String {
        switch self {
        case .exists(let path):
            "The file \(path) exists already, and a backup replaces none. Name another file, or remove that one."
        case .failed(let path, let reason):
            "Cannot write the backup \(path): \(reason). Check that its folder exists and can be written, and that the "
                + "disk has room for a copy of the database."
        }
    }
}
