import GRDB
import Logging

/// Looks after the file while it is in use; ``StoreUpkeep`` calls these in time.
extension SQLiteUserStateStore {
    /// Why no change is accepted now; `nil` where changes are.
    package var refusal: WritesRefused? { gate.refusal }

    /// Whether others than the owner may read or write the file, whose levels and digests are nobody else's business.
    package var isOpenToOthers: Bool { file.isOpenToOthers }

    /// The size of the write-ahead log, in bytes.
    package var logByteCount: Int { file.logByteCount }

    /// Sets who is told of changes that others make, through this call or ``lookForForeignChanges()``, each once.
    ///
    /// It runs in the order of the changes, before any later change of this store is on disk. It must be short and
    /// must not call the store.
    package func onForeignChange(_ body: @Sendable @escaping (ForeignChange) -> Void) {
        foreignChanges.observe(body)
    }

    /// Looks whether another process has changed states, and whether the file is still the one that was opened.
    package func lookForForeignChanges() async throws {
        try await checkIdentity()
        try await pool.writeWithoutTransaction { [foreignChanges] database in try foreignChanges.look(database) }
    }

    /// Checks a file that was not closed cleanly (sqlite.org/pragma.html#pragma_quick_check), and accepts changes if
    /// nothing is wrong; does nothing where there is nothing to check.
    ///
    /// Takes time in proportion to the size of the file; reads go on.
    ///
    /// - Throws: `CancellationError`; the file stays unchecked then.
    package func verify() async throws {
        guard case .unverified = gate.refusal else { return }
        let finding: String?
        do {
            finding = try await pool.read(Self.finding)
        } catch let error as DatabaseError {
            try Task.checkCancellation()
            finding = WriteGate.reason(error)
        }
        settle(finding)
    }

    /// Cuts the write-ahead log where it is large; where a reader in another process keeps it, the log says so.
    func limitLog(from limit: Int = WriteAheadLog.cutSize) async throws {
        guard gate.refusal == nil, logByteCount >= limit else { return }
        let before = logByteCount
        let isCut = try await pool.writeWithoutTransaction { [log] database in try log.cut(database) }
        if isCut {
            logger.debug("Cut the write-ahead log.", metadata: ["bytes": "\(before)"])
        } else {
            logger.warning(
                "The write-ahead log cannot be cut while another process reads an old state.",
                metadata: ["bytes": "\(before)"]
            )
        }
    }

    /// What is wrong with the file, one that cannot be read included; `nil` for nothing.
    static func finding(_ pool: DatabasePool) throws -> String? {
        do {
            return try pool.read(Self.finding)
        } catch let error as DatabaseError {
            return WriteGate.reason(error)
        }
    }

    private static func finding(_ database: Database) throws -> String? {
        let lines = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
        return lines == ["ok"] ? nil : lines.joined(separator: "; ")
    }
}
