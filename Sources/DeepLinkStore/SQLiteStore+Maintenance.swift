import GRDB
import Logging

/// The care for the file while it is in use; ``StoreMaintenance`` calls these in time.
extension SQLiteStore {
    /// The reason why no change is accepted now; `nil` where changes are.
    package var refusal: WritesUnavailableError? { barrier.refusal }

    /// Whether others than the owner may read or write the file, whose levels and digests are nobody else's business.
    package var isOpenToOthers: Bool { file.isOpenToOthers }

    /// The size of the write-ahead log, in bytes.
    package var logByteCount: Int { file.logByteCount }

    /// Looks whether another process has changed states, and whether the file is still the one that was opened.
    package func pollExternalChanges() async throws {
        try await checkIdentity()
        try await pool.writeWithoutTransaction { [externalChanges] database in try externalChanges.poll(database) }
    }

    /// Checks a file that was not closed cleanly, and accepts changes if
    /// nothing is wrong; does nothing where there is nothing to check.
    ///
    /// Takes time in proportion to the size of the file; reads go on.
    ///
    /// - Throws: `CancellationError`; the file stays unchecked then.
    package func verify() async throws {
        guard case .unverified = barrier.refusal else { return }
        settle(try await FileCheck.finding(pool))
    }

    /// Cuts the write-ahead log where it is large; where a reader in another process keeps it, the log says so.
    func limitLog(from limit: Int = WriteAheadLog.cutSize) async throws {
        guard barrier.refusal == nil, logByteCount >= limit else { return }
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
}
