package import DeepLinkCore
package import DeepLinkStorage
import GRDB
import Logging

/// The maintenance of the file while it is in use. ``StoreMaintenance`` calls these methods.
extension SQLiteStore: WriteRetrying {
    /// The reason why changes are refused, or `nil` if they are accepted.
    package var refusal: WritesUnavailableError? { writeSwitch.refusal }

    /// Whether users other than the owner may read or write the file, which contains levels and digests.
    package var isOpenToOthers: Bool { file.isOpenToOthers }

    /// The size of the write-ahead log, in bytes.
    package var logByteCount: Int { file.logByteCount }

    /// Checks whether another process has changed states, and whether the path still refers to the opened file.
    package func pollExternalChanges() async throws {
        try await checkIdentity()
        try await pool.writeWithoutTransaction { [externalChanges] database in try externalChanges.poll(database) }
    }

    /// Checks a file that was not closed cleanly, and accepts changes if it is sound.
    ///
    /// Does nothing if no check is due.
    ///
    /// Takes time proportional to the size of the file. Reads continue.
    ///
    /// - Throws: `CancellationError`. The file then stays unchecked.
    package func verify() async throws {
        guard case .unverified = writeSwitch.refusal else { return }
        settle(try await FileCheck.finding(pool))
    }

    /// Makes a write without effect after a failed change, to detect when there is space again.
    package func retryWriting() async {
        guard writeSwitch.refusal == nil, refusesWrites else { return }
        // A failure is already known.
        _ = try? await write { database in
            try StoredNumber.erasures.set(StoredNumber.erasures.value(database), in: database)
        }
    }

    /// Truncates the write-ahead log if it is large.
    ///
    /// - Returns: `false` if a reader that has an old state, in this process or another, prevents that.
    func limitLog(from limit: Int = WriteAheadLog.cutSize) async throws -> Bool {
        guard writeSwitch.refusal == nil, logByteCount >= limit else { return true }
        let before = logByteCount
        guard try await pool.writeWithoutTransaction({ [log] database in try log.cut(database) }) else { return false }
        logger.debug("Cut the write-ahead log.", metadata: ["bytes": .stringConvertible(before)])
        return true
    }
}

extension SQLiteStore: LedgerStore, ServiceTokenStore, AuditNameStore {
    package func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
        // This includes errors, after which it is unknown what is on disk.
        defer { links?.forget(change.needs.links) }
        return try await write(
            { [historyLimits, maximumAnswerCount, order] database in
                var ledger = try WriteLedger(for: change.needs, database)
                let outcome = ledger.apply(change)
                order.note(ledger.irregularities)
                try ledger.write(
                    change.needs,
                    historyLimits: historyLimits,
                    maximumAnswerCount: maximumAnswerCount,
                    in: database
                )
                return (outcome, ledger)
            },
            size: change.needs.size,
            levels: \.1.levels
        )
        .0
    }

    package func answer(to request: KeyedRequest) throws -> StoredResponse? {
        try read { try StoredResponseRecord.find(request, in: $0)?.answer }
    }

    package func serviceTokens() throws -> [ServiceToken] {
        try read(ServiceTokenRecord.all)
    }

    package func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws {
        try await write(
            { database in
                for (id, day) in days { try ServiceTokenRecord.noteUse(of: id, on: day, in: database) }
            },
            size: days.count
        )
    }

    package func auditName(of id: UserID) throws -> AuditName? { try read { try AuditNameRecord.name(of: id, $0) } }

    package func users(named names: [AuditName]) throws -> [AuditName: UserID] {
        try read { database in
            try names.reduce(into: [:]) { users, name in
                users[name] = try AuditNameRecord.table.rows("WHERE name = ?", [name.text], database).first?
                    .auditName().id
            }
        }
    }
}
