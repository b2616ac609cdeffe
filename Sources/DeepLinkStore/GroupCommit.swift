import DeepLinkStoring
import GRDB
import Synchronization

/// The commit that changes which arrive at the same time share, and so one sync of the disk.
///
/// While one transaction is being committed, the changes that arrive wait, and the next takes them all. Each runs in
/// a savepoint of its own (sqlite.org/lang_savepoint.html): one that fails undoes nothing of its neighbours. Nobody is
/// told of a change before the transaction that holds it is on disk; where that fails, all of them are told so.
final class GroupCommit: Sendable {
    /// One change with its caller.
    private struct Job: Sendable {
        /// The number of rows of users that it changes, or so.
        let size: Int

        /// The change.
        let run: @Sendable (Database) -> Outcome

        /// The call that tells the caller that nothing was changed.
        let fail: @Sendable (any Error) -> Void
    }

    /// The outcome of a change within its transaction.
    private struct Outcome {
        /// The call that tells the caller, to be made once the transaction is on disk.
        let tell: @Sendable () -> Void

        /// The error that the change threw.
        let error: (any Error)?

        /// The levels that it leaves behind.
        let levels: [UserLevelChange]
    }

    private struct State {
        var waiting: [Job] = []
        var isCommitting = false
        var commitCount = 0
    }

    /// The end of a transaction by an error in one change (sqlite.org/lang_transaction.html §2.2).
    private struct TransactionEndedError: Error {}

    /// The most changes of one transaction, by their sizes: more would make the first of them wait for long.
    private static let maximumBatchSize = 1024

    private let pool: DatabasePool
    private let barrier: WriteBarrier
    private let log: WriteAheadLog
    private let externalChanges: ExternalChangeMonitor?
    private let levels: UserLevelCache?
    private let state = Mutex(State())
    private let metrics = CommitMetrics()

    init(
        _ pool: DatabasePool,
        barrier: WriteBarrier,
        log: WriteAheadLog,
        externalChanges: ExternalChangeMonitor? = nil,
        levels: UserLevelCache? = nil
    ) {
        self.pool = pool
        self.barrier = barrier
        self.log = log
        self.externalChanges = externalChanges
        self.levels = levels
    }

    /// The number of transactions that were committed, and of changes that wait for the next one.
    var counts: (committed: Int, waiting: Int) { state.withLock { ($0.commitCount, $0.waiting.count) } }

    /// Runs a change; when this returns, it is on disk.
    ///
    /// One that changes several users says by `size` how many. By `levels` its result says what it leaves behind that decides users' levels, in the order of the changes.
    ///
    /// - Throws: what the change throws, which is then undone; ``WritesUnavailableError``; or why its transaction could not be
    ///   committed.
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
                        let result = Swift.Result { try Self.inSavepoint(database, change) }
                        let tell: @Sendable () -> Void = { continuation.resume(with: result) }
                        return switch result {
                        case .success(let value):
                            Outcome(tell: tell, error: nil, levels: isRemembering ? levels(value) : [])
                        case .failure(let error): Outcome(tell: tell, error: error, levels: [])
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    private static func inSavepoint<Result>(
        _ database: Database,
        _ change: (Database) throws -> Result
    ) throws -> Result {
        // Thousands of times a second, so prepared once.
        try database.cachedStatement(sql: "SAVEPOINT change").execute()
        do {
            let result = try change(database)
            try database.cachedStatement(sql: "RELEASE change").execute()
            return result
        } catch {
            // A full disk, for one, ends the whole transaction; then there is no savepoint left.
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

    /// Commits what waits, then what arrived meanwhile; between two transactions other users of the connection have
    /// their turn.
    private func commitWaiting() {
        pool.asyncWriteWithoutTransaction { [self] database in
            let jobs = state.withLock { state in
                var size = 0
                let jobs = Array(
                    state.waiting.prefix { job in
                        size += job.size
                        // One is taken, however large it is.
                        return size <= Self.maximumBatchSize || size == job.size
                    }
                )
                state.waiting.removeFirst(jobs.count)
                return jobs
            }
            commit(jobs, database)
            let isDone = state.withLock { state in
                state.isCommitting = !state.waiting.isEmpty
                return !state.isCommitting
            }
            if !isDone { commitWaiting() }
        }
    }

    /// Commits, with the levels that users have then.
    private func commit(_ changes: [UserLevelChange], _ database: Database) throws {
        levels?.announce(changes)
        do {
            try database.cachedStatement(sql: "COMMIT").execute()
        } catch {
            levels?.withdraw(changes)
            throw error
        }
        levels?.settle(changes)
    }

    private func commit(_ jobs: [Job], _ database: Database) {
        var outcomes: [Outcome] = []
        let begin = ContinuousClock.now
        do {
            if let refusal = barrier.refusal { throw refusal }
            // Prepared once, as for savepoints.
            try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
            try externalChanges?.poll(database)
            for job in jobs {
                let outcome = job.run(database)
                outcomes.append(outcome)
                if let error = outcome.error {
                    barrier.note(error)
                    if let refusal = barrier.refusal { throw refusal }
                }
                guard database.isInsideTransaction else { throw outcome.error ?? TransactionEndedError() }
            }
            let ownEnd = try externalChanges?.ownEnd(database)
            // Of several changes of one user the last counts.
            let levels = Dictionary(outcomes.flatMap(\.levels).map { ($0.user, $0) }) { $1 }
            try commit(Array(levels.values), database)
            ownEnd?.committed()
            state.withLock { $0.commitCount += 1 }
            metrics.count(jobs.count, since: begin)
        } catch {
            // First of all: whoever is told of the failure, and tries again, is refused.
            barrier.note(error)
            if database.isInsideTransaction {
                do { try database.rollback() } catch { barrier.fail(error) }
            }
            for job in jobs { job.fail(error) }
            // The log may be what fills the disk.
            if let error = error as? DatabaseError, error.resultCode == .SQLITE_FULL { log.makeRoom(database) }
            return
        }
        for outcome in outcomes { outcome.tell() }
        log.note(jobs.reduce(0) { $0 + $1.size }, database)
    }
}
