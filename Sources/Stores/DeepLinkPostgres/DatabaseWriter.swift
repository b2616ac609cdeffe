import DeepLinkCore
import DeepLinkStorage
import Synchronization

/// The writing thread.
///
/// While a transaction is in progress, arriving changes wait, and the next transaction includes them all, as with a
/// SQLite file.
///
/// Results are returned once their transaction is committed. A conflict with other replicas is retried. After a commit
/// with a lost response, its outcome is looked up.
final class DatabaseWriter: Sendable {
    /// One change with its caller.
    private struct Job: DatabaseJob {
        /// The change, whose outcome is a function that tells the caller.
        let change: StoreChange<@Sendable () -> Void>

        let deadline: MonotonicInstant
        let refuse: @Sendable (any Error) -> Void

        func fail(_ error: any Error) { refuse(error) }
    }

    /// The numbers of operations, for operators and tests.
    struct Counts: Hashable, Sendable {
        /// The number of committed transactions.
        var committed = 0

        /// The number of repeated attempts.
        var repeated = 0

        /// The number of interrupted commits that were looked up.
        var lookedUp = 0
    }

    /// The configuration of all transactions.
    struct Rules: Sendable {
        let limits: UserHistoryLimits
        let secrets: DatabaseSecrets

        /// Whether the server has PostgreSQL's snapshot functions.
        let hasSnapshots: Bool

        /// The clock that dates changes.
        let clock: PostgresStore.Clock

        /// The log of out-of-order changes.
        let order: ChangeOrderLog
    }

    /// The time limit of a change.
    private let timeout: Duration

    /// The additional time for looking up an interrupted commit.
    private static let lookingUp = Duration.seconds(5)

    private let worker: Worker
    private let thread: DatabaseThread<Job>

    /// Starts the writing thread.
    init(
        _ location: PostgresLocation,
        health: DatabaseHealth,
        rules: Rules,
        timeout: Duration,
        feed: ChangeFeed,
        levels: UserLevelCache?
    ) {
        self.timeout = timeout
        let worker = Worker(rules: rules, feed: feed, levels: levels)
        self.worker = worker
        thread = DatabaseThread("waymark writes", location: location, health: health, batchSize: WriteBatch.maximumSize)
        {
            jobs,
            session in
            var rest = jobs[...]
            while !rest.isEmpty {
                let batch = WriteBatch.first(of: rest, size: \.change.needs.size)
                rest = rest.dropFirst(batch.count)
                worker.commit(Array(batch), session: session)
            }
        }
    }

    /// The counts so far.
    var counts: Counts { worker.counts.withLock(\.self) }

    /// Whether the database accepts changes.
    var writeHealth: WriteHealth { worker.writeHealth }

    /// Makes a change.
    ///
    /// When this returns, the change is committed.
    ///
    /// - Throws: `WriteOutcomeUnknownError` if it is unknown whether the change was committed. Any other error means
    ///   that it wasn't.
    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
        let deadline = MonotonicInstant.now.advanced(by: timeout)
        return try await withCheckedThrowingContinuation { continuation in
            let telling = change.map { outcome in { @Sendable in continuation.resume(returning: outcome) } }
            thread.enqueue(Job(change: telling, deadline: deadline) { continuation.resume(throwing: $0) })
        }
    }

    /// Ends the thread.
    func close() { thread.close() }

    /// The work of the thread.
    private final class Worker: Sendable {
        private let rules: Rules
        private let feed: ChangeFeed
        private let levels: UserLevelCache?
        private let metrics = CommitMetrics()
        let counts = Mutex(Counts())
        let writeHealth = WriteHealth()

        init(rules: Rules, feed: ChangeFeed, levels: UserLevelCache?) {
            self.rules = rules
            self.feed = feed
            self.levels = levels
        }

        /// Commits changes together, and reports to their callers.
        func commit(_ jobs: [Job], session: DatabaseSession) {
            let now = MonotonicInstant.now
            let due = jobs.filter { $0.deadline >= now }
            for job in jobs where job.deadline < now { job.fail(session.lateness) }
            guard let deadline = due.map(\.deadline).min() else { return }
            do {
                let outcomes = try outcomes(of: due.map(\.change), until: deadline, session)
                writeHealth.noteSuccess()
                for completion in outcomes { completion() }
            } catch let error as PostgresError where due.count > 1 && !error.isLoss {
                // One of them may be at fault, and must not make the others fail.
                for job in due { commit([job], session: session) }
            } catch {
                if (error as? PostgresError)?.isOfDatabase ?? true { writeHealth.noteFailure() }
                for job in due { job.fail(error) }
            }
        }

        private func outcomes(
            of changes: [StoreChange<@Sendable () -> Void>],
            until deadline: MonotonicInstant,
            _ session: DatabaseSession
        ) throws -> [@Sendable () -> Void] {
            var attempt = 0
            var reason: PostgresError?
            while true {
                let transaction = WriteTransaction(rules: rules, changes: changes)
                do {
                    return try run(transaction, until: deadline, session: session)
                } catch let error as PostgresError {
                    guard error.isPassing || error.isLoss && !error.isLate, MonotonicInstant.now < deadline else {
                        // The last attempt timed out, but the error of the one before gives the reason.
                        throw error.isLate ? reason ?? error : error
                    }
                    reason = error
                    counts.withLock { $0.repeated += 1 }
                    attempt += 1
                    // The delay increases each time, and is random, so that replicas spread out.
                    let most = error.isLoss ? 150 : min(2 << min(attempt, 6), 100)
                    session.rest(for: .milliseconds(Int.random(in: 1...most)))
                }
            }
        }

        private func run(
            _ transaction: WriteTransaction,
            until deadline: MonotonicInstant,
            session: DatabaseSession
        ) throws -> [@Sendable () -> Void] {
            let begin = ContinuousClock.now
            let prepared = try session.transaction(until: deadline, transaction.prepare)
            let changes = prepared.ledger.levels
            levels?.announce(changes)
            do {
                try session.transaction(until: deadline) { connection throws(PostgresError) in
                    try transaction.commit(prepared, connection: connection)
                }
            } catch {
                do {
                    guard error.isLoss, try lookUp(transaction, loss: error, session: session) else {
                        // The transaction was never committed, whatever was sent.
                        throw error.isLoss ? PostgresError.unreachable("the connection broke before the commit") : error
                    }
                } catch {
                    levels?.withdraw(changes)
                    throw error
                }
            }
            feed.noteOwn(prepared.transaction)
            levels?.settle(changes)
            counts.withLock { $0.committed += 1 }
            metrics.count(prepared.outcomes.count, since: begin)
            return prepared.outcomes
        }

        /// Determines the outcome of a commit with a lost response.
        private func lookUp(_ transaction: WriteTransaction, loss: PostgresError, session: DatabaseSession) throws
            -> Bool
        {
            counts.withLock { $0.lookedUp += 1 }
            let deadline = MonotonicInstant.now.advanced(by: DatabaseWriter.lookingUp)
            while true {
                do throws(PostgresError) {
                    return try session.transaction(until: deadline, transaction.wasCommitted)
                } catch {
                    guard MonotonicInstant.now < deadline else { throw WriteOutcomeUnknownError("\(loss)") }
                    session.rest(for: .milliseconds(100))
                }
            }
        }
    }
}
