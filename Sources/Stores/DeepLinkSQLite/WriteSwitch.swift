import DeepLinkStorage
import GRDB
import Logging
import Synchronization

/// The barrier for changes.
///
/// Once it is closed permanently, only a restart opens it.
///
/// After a failed sync the kernel may treat unwritten pages as written, and a second sync that succeeds proves nothing
/// (lwn.net/Articles/752063). So nothing more is written: neither the next change nor any part of the log.
final class WriteSwitch: Sendable {
    private let path: String
    private let logger: Logger
    private let shut: Mutex<WritesUnavailableError?>
    private let onShut: @Sendable () -> Void

    /// Creates a barrier, open or closed.
    ///
    /// `onShut` runs once, when it is closed permanently.
    init(
        path: String,
        refusal: WritesUnavailableError? = nil,
        logger: Logger,
        onShut: @escaping @Sendable () -> Void = {}
    ) {
        self.path = path
        self.logger = logger
        self.onShut = onShut
        shut = Mutex(refusal)
    }

    /// The reason why changes are refused, or `nil` if they are accepted.
    var refusal: WritesUnavailableError? { shut.withLock(\.self) }

    /// Opens the barrier, unless it is closed permanently.
    func open() {
        shut.withLock { if $0?.isLasting != true { $0 = nil } }
    }

    /// Closes the barrier permanently.
    ///
    /// The first reason stays.
    func close(_ refusal: WritesUnavailableError) {
        let isFirst = shut.withLock { shut in
            guard shut?.isLasting != true else { return false }
            shut = refusal
            return true
        }
        guard isFirst else { return }
        logger.critical("\(refusal)")
        onShut()
    }

    /// Closes the barrier if an error means that writes may not be on the disk.
    func note(_ error: any Error) {
        guard let error = error as? DatabaseError else { return }
        switch error.resultCode {
        case .SQLITE_IOERR where !Self.isPassing(error.extendedResultCode): fail(error)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: close(.damaged(path: path, finding: Self.reason(error)))
        default: break
        }
    }

    /// Closes the barrier permanently because of any error.
    func fail(_ error: any Error) {
        close(.failed(path: path, reason: (error as? DatabaseError).map(Self.reason) ?? "\(error)"))
    }

    /// Returns the message of an error, with its result code (sqlite.org/rescode.html).
    static func reason(_ error: DatabaseError) -> String {
        "\(error.message ?? "no message"), code \(error.extendedResultCode.rawValue)"
    }

    /// Returns whether an I/O error is unrelated to the data on disk.
    ///
    /// Such an error concerns reading, locks, memory, or the shared index of the log, which is rebuilt at each start
    /// and cannot grow on a full disk (sqlite.org/rescode.html).
    private static func isPassing(_ code: ResultCode) -> Bool {
        switch code {
        case .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_NOMEM, .SQLITE_IOERR_ACCESS,
            .SQLITE_IOERR_LOCK, .SQLITE_IOERR_RDLOCK, .SQLITE_IOERR_UNLOCK, .SQLITE_IOERR_CHECKRESERVEDLOCK,
            .SQLITE_IOERR_BLOCKED, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMLOCK,
            .SQLITE_IOERR_SHMMAP:
            true
        default: false
        }
    }
}

/// The check of a whole database file (sqlite.org/pragma.html#pragma_quick_check), which takes time in proportion to
/// its size.
enum FileCheck {
    /// Returns the fault of the file, or `nil` if it is sound.
    ///
    /// A file that cannot be read is a fault.
    static func finding(_ pool: DatabasePool) throws -> String? {
        do {
            return try pool.read(finding)
        } catch let error as DatabaseError {
            return WriteSwitch.reason(error)
        }
    }

    /// Returns the fault of the file, or `nil` if it is sound, beside other reads.
    ///
    /// - Throws: `CancellationError`.
    static func finding(_ pool: DatabasePool) async throws -> String? {
        do {
            return try await pool.read(finding)
        } catch let error as DatabaseError {
            try Task.checkCancellation()
            return WriteSwitch.reason(error)
        }
    }

    private static func finding(_ database: Database) throws -> String? {
        let lines = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
        return lines == ["ok"] ? nil : lines.joined(separator: "; ")
    }
}

/// The reason why an open store refuses changes.
///
/// Reads continue.
package enum WritesUnavailableError: StoreError, Hashable {
    /// The last server did not end cleanly, and the file isn't verified yet. Changes are accepted once it is.
    case unverified(path: String)

    /// The check of the file found damage.
    case damaged(path: String, finding: String)

    /// A write or a sync failed, so the contents of the disk are unknown until a restart has read them.
    case failed(path: String, reason: String)

    /// The file at the path is no longer the one that was opened.
    case replaced(path: String)

    /// The write-ahead log beside the file, or its index, is no longer the one that was opened.
    case logRemoved(path: String)

    /// A server runs on the file and accepts no changes itself.
    case refusedByServer(path: String)

    package var description: String {
        switch self {
        case .unverified(let path):
            "The database \(path) was not closed cleanly and is being checked; changes are accepted afterwards."
        case .damaged(let path, let finding):
            "The database \(path) is damaged, so no change is accepted: \(finding). Stop the server, restore the file "
                + "from a backup without its -wal and -shm, and start again."
        case .failed(let path, let reason):
            "A write to the database \(path) failed (\(reason)), so no change is accepted until the server is started "
                + "again and has checked the file. Check the disk first."
        case .replaced(let path):
            "The database \(path) was removed or replaced while it was in use, so no change is accepted. Start the "
                + "server again."
        case .logRemoved(let path):
            "The write-ahead log of the database \(path), or its index (-wal, -shm), was removed or replaced while it was "
                + "in use, so no change is accepted. Start the server again; never remove these files."
        case .refusedByServer(let path):
            "The server that runs on the database \(path) accepts no changes now; its log has the reason."
        }
    }

    /// Whether the file's content is damaged.
    package var isDamage: Bool { if case .damaged = self { true } else { false } }

    /// Whether only a restart can lift the refusal.
    var isLasting: Bool {
        switch self {
        case .unverified, .refusedByServer: false
        case .damaged, .failed, .replaced, .logRemoved: true
        }
    }
}
