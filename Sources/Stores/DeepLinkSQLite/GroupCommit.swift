import DeepLinkStorage
import GRDB
import Synchronization

/// The group commit of changes that arrive at the same time, with a single sync of the disk.
///
/// While a transaction is being committed, arriving changes wait, and the next transaction includes them all. Each
/// change runs in a savepoint of its own (sqlite.org/lang_savepoint.html), so a failed change does not undo the others.
/// Results are returned once the transaction is on disk. If the commit fails, all of its callers get the error.
final class GroupCommit: Sendable {
    /// One change with its caller.
    struct Job: Sendable {
        /// The approximate number of user rows to change.
        let size: Int

        /// The change.
        let run: @Sendable (Database) -> Outcome

        /// Reports to the caller that nothing was changed.
        let fail: @Sendable (any Error) -> Void
    }

    /// The outcome of a change within its transaction.
    struct Outcome {
        /// Reports the result to the caller, once the transaction is on disk.
        let completion: @Sendable () -> Void

        /// The error that the change threw.
        let error: (any Error)?

        /// The resulting levels.
        let levels: [UserLevelChange]
    }

    /// The changes that wait for the next transaction, and whether one is in progress.
    struct State {
        var waiting: [Job] = []
        var isCommitting = false
    }

    /// The end of a transaction by an error in one change (sqlite.org/lang_transaction.html §2.2).
    private struct TransactionEndedError: Error {}

    private let pool: DatabasePool
    private let writeSwitch: WriteSwitch
    private let log: WriteAheadLog
    private let externalChanges: ExternalChangeMonitor?
    private let levels: UserLevelCache?

    /// The waiting changes, and whether a commit is in progress.
    let state = Mutex(State())

    /// Whether the file accepts changes.
    let writeHealth = WriteHealth()
    private let metrics = CommitMetrics()

    init(
        _ pool: DatabasePool,
        writeSwitch: WriteSwitch,
        log: WriteAheadLog,
        externalChanges: ExternalChangeMonitor? = nil,
        levels: UserLevelCache? = nil
    ) {
        self.pool = pool
        self.writeSwitch = writeSwitch
        self.log = log
        self.externalChanges = externalChanges
        self.levels = levels
    }

    /// Runs a change.
    ///
    /// When this returns, it is on disk.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - size: The number of users that it changes.
    ///   - levels: Returns the resulting access of users, in the order of the changes.
    /// - Returns: The result of the change.
    /// - Throws: The error of the change, which is then undone, ``WritesUnavailableError``, or the reason why its
    ///   transaction could not be committed.
    func write<Result: Sendable>(
        _ change: @Sendable @escaping (Database) throws -> Result,
        size: Int = 1,
        levels: @Sendable @escaping (Result) -> [UserLevelChange] = { _ in [] }
    ) async throws -> Result {
        let isRemembering = self.levels != nil
        return try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Job(
                    size: size,
                    run: { database in
                        let result = Swift.Result { try Self.inSavepoint(database, change: change) }
                        let completion: @Sendable () -> Void = { continuation.resume(with: result) }
                        return switch result {
                        case .success(let value):
                            Outcome(completion: completion, error: nil, levels: isRemembering ? levels(value) : [])
                        case .failure(let error): Outcome(completion: completion, error: error, levels: [])
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    private static func inSavepoint<Result>(
        _ database: Database,
        change: (Database) throws -> Result
    ) throws -> Result {
        // Runs thousands of times per second, so it is prepared once.
        try database.cachedStatement(sql: "SAVEPOINT change").execute()
        do {
            let result = try change(database)
            try database.cachedStatement(sql: "RELEASE change").execute()
            return result
        } catch {
            // An error such as a full disk ends the whole transaction, and its savepoints with it.
            if database.isInsideTransaction { try database.execute(sql: "ROLLBACK TO change; RELEASE change") }
            throw error
        }
    }

    private func enqueue(_ job: Job) {
        let mustStart = state.withLock { state in
            state.waiting.append(job)
            guard !state.isCommitting else { return false }
            state.isCommitting = true
            return true
        }
        if mustStart { commitWaiting() }
    }

    /// Commits the waiting changes, then the changes that arrived meanwhile.
    ///
    /// Other users of the connection can run between two transactions.
    private func commitWaiting() {
        pool.asyncWriteWithoutTransaction { [self] database in
            let jobs = state.withLock { state in
                let jobs = Array(WriteBatch.first(of: state.waiting, size: \.size))
                state.waiting.removeFirst(jobs.count)
                return jobs
            }
            commit(jobs, in: database)
            let isDone = state.withLock { state in
                state.isCommitting = !state.waiting.isEmpty
                return !state.isCommitting
            }
            if !isDone { commitWaiting() }
        }
    }

    /// Commits, with the resulting access of users.
    private func commit(_ changes: [UserLevelChange], in database: Database) throws {
        levels?.announce(changes)
        do {
            try database.cachedStatement(sql: "COMMIT").execute()
        } catch {
            levels?.withdraw(changes)
            throw error
        }
        levels?.settle(changes)
    }

    private func commit(_ jobs: [Job], in database: Database) {
        var outcomes: [Outcome] = []
        let begin = ContinuousClock.now
        do {
            if let refusal = writeSwitch.refusal { throw refusal }
            // Prepared once, like savepoints.
            try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
            try externalChanges?.poll(database)
            for job in jobs {
                let outcome = job.run(database)
                outcomes.append(outcome)
                if let error = outcome.error {
                    writeSwitch.note(error)
                    if let refusal = writeSwitch.refusal { throw refusal }
                }
                guard database.isInsideTransaction else { throw outcome.error ?? TransactionEndedError() }
            }
            let ownEnd = try externalChanges?.ownEnd(database)
            // If a user changed several times, the last change counts.
            let levels = Dictionary(outcomes.flatMap(\.levels).map { ($0.user, $0) }) { $1 }
            try commit(Array(levels.values), in: database)
            ownEnd?()
            // One change may run out of space although the transaction of the others succeeds.
            if outcomes.contains(where: { Self.isFull($0.error) }) {
                writeHealth.noteFailure()
            } else {
                writeHealth.noteSuccess()
            }
            metrics.count(jobs.count, since: begin)
        } catch {
            // This comes first, so that a caller that gets the failure and retries is refused.
            writeSwitch.note(error)
            writeHealth.noteFailure()
            if database.isInsideTransaction {
                do { try database.rollback() } catch { writeSwitch.fail(error) }
            }
            for job in jobs { job.fail(error) }
            // The log may be what fills the disk.
            if Self.isFull(error) { log.makeRoom(database) }
            return
        }
        for outcome in outcomes { outcome.completion() }
        log.note(jobs.reduce(0) { $0 + $1.size }, in: database)
    }

    /// Returns whether an error means that the disk is full.
    private static func isFull(_ error: (any Error)?) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_FULL }
}
