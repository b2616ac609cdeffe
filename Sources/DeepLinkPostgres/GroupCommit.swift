import DeepLinkCore
import DeepLinkStoring
import Synchronization

/// The commit that changes which arrive at the same time share, as with a SQLite file: while one transaction is under way,
/// the changes that arrive wait, and the next takes them all.
///
/// Nobody is told of a change before its transaction is committed. What fails by a conflict with other replicas is tried
/// again; what fails while it is being committed is looked up.
final class GroupCommit: Sendable {
    /// One change with its caller.
    private struct Job: DatabaseJob {
        let change: Change
        let deadline: Moment
        let tell: @Sendable (Result<ChangeOutcome, any Error>) -> Void

        func fail(_ error: any Error) { tell(.failure(error)) }
    }

    /// The counts of what was done, for operators and tests.
    struct Counts: Hashable, Sendable {
        /// The number of transactions that were committed.
        var committed = 0

        /// The number of times that one was tried again.
        var repeated = 0

        /// The number of commits that broke off, and were looked up.
        var lookedUp = 0
    }

    /// What all transactions need.
    struct Rules: Sendable {
        let limits: UserHistoryLimits
        let secrets: Secrets
        let hasSnapshots: Bool
    }

    /// The most changes of one transaction, by their sizes.
    private static let maximumBatchSize = 1024

    /// The time in which a change is made, or given up.
    private static let timeout = Duration.seconds(5)

    /// The further time in which a commit that broke off is looked up.
    private static let lookingUp = Duration.seconds(5)

    private let counting = Counting()
    private let thread: DatabaseThread<Job>

    /// Starts the thread that writes.
    init(
        _ location: PostgresLocation,
        _ health: DatabaseHealth,
        _ rules: Rules,
        _ feed: ChangeFeed,
        _ levels: UserLevelCache?
    ) {
        let worker = Worker(rules: rules, feed: feed, levels: levels, counting: counting)
        thread = DatabaseThread("waymark writes", location, health, batchSize: Self.maximumBatchSize) { jobs, session in
            var rest = jobs[...]
            while !rest.isEmpty {
                var size = 0
                let batch = rest.prefix { job in
                    size += job.change.size
                    // One is taken, however large it is.
                    return size <= Self.maximumBatchSize || size == job.change.size
                }
                rest = rest.dropFirst(batch.count)
                worker.commit(Array(batch), session)
            }
        }
    }

    /// What was done so far.
    var counts: Counts { counting.value.withLock(\.self) }

    /// Makes a change; when this returns, it is committed.
    ///
    /// - Throws: `WriteOutcomeUnknownError` where nobody could find out whether it was; any other error means that it was
    ///   not.
    func make(_ change: Change) async throws -> ChangeOutcome {
        let deadline = Moment.now.advanced(by: Self.timeout)
        return try await withCheckedThrowingContinuation { continuation in
            thread.hand(Job(change: change, deadline: deadline) { continuation.resume(with: $0) })
        }
    }

    /// Ends the thread.
    func close() { thread.close() }

    /// A place for the counts.
    private final class Counting: Sendable {
        let value = Mutex(Counts())
    }

    /// The work of the thread.
    private struct Worker: Sendable {
        let rules: Rules
        let feed: ChangeFeed
        let levels: UserLevelCache?
        let counting: Counting
        let metrics = CommitMetrics()

        /// Commits changes together, and tells whoever waits for them.
        func commit(_ jobs: [Job], _ session: DatabaseSession) {
            let now = Moment.now
            let due = jobs.filter { $0.deadline >= now }
            for job in jobs where job.deadline < now { job.fail(PostgresError.late) }
            guard let deadline = due.map(\.deadline).min() else { return }
            do {
                let outcomes = try outcomes(of: due.map(\.change), until: deadline, session)
                for (job, outcome) in zip(due, outcomes) { job.tell(.success(outcome)) }
            } catch let error as PostgresError where due.count > 1 && !error.isLoss {
                // One of them may be at fault; it must not fail its neighbours.
                for job in due { commit([job], session) }
            } catch {
                for job in due { job.fail(error) }
            }
        }

        private func outcomes(of changes: [Change], until deadline: Moment, _ session: DatabaseSession) throws
            -> [ChangeOutcome]
        {
            var attempt = 0
            while true {
                let transaction = WriteTransaction(
                    changes: changes,
                    limits: rules.limits,
                    secrets: rules.secrets,
                    hasSnapshots: rules.hasSnapshots
                )
                do {
                    return try run(transaction, until: deadline, session)
                } catch let error as PostgresError {
                    let isLate = if case .late = error { true } else { false }
                    guard error.isPassing || error.isLoss && !isLate, Moment.now < deadline else { throw error }
                    counting.value.withLock { $0.repeated += 1 }
                    attempt += 1
                    // Later each time, and not all at the same time.
                    let most = error.isLoss ? 150 : min(2 << min(attempt, 6), 100)
                    session.rest(for: .milliseconds(Int.random(in: 1...most)))
                }
            }
        }

        private func run(_ transaction: WriteTransaction, until deadline: Moment, _ session: DatabaseSession) throws
            -> [ChangeOutcome]
        {
            let begin = ContinuousClock.now
            let prepared = try session.with(until: deadline) { connection throws(PostgresError) in
                try orRollBack(connection, until: deadline) { () throws(PostgresError) in
                    try transaction.prepare(connection, until: deadline)
                }
            }
            let changes = prepared.ledger.levels
            levels?.announce(changes)
            do {
                try session.with(until: deadline) { connection throws(PostgresError) in
                    try orRollBack(connection, until: deadline) { () throws(PostgresError) in
                        try transaction.commit(prepared, connection, until: deadline)
                    }
                }
            } catch {
                guard error.isLoss else {
                    levels?.withdraw(changes)
                    throw error
                }
                let isCommitted: Bool
                do {
                    isCommitted = try lookUp(transaction, error, session)
                } catch {
                    levels?.withdraw(changes)
                    throw error
                }
                guard isCommitted else {
                    levels?.withdraw(changes)
                    // It never came to the end, whatever was sent.
                    throw PostgresError.unreachable("the connection broke before the commit")
                }
            }
            feed.noteOwn(prepared.transaction)
            levels?.settle(changes)
            counting.value.withLock { $0.committed += 1 }
            metrics.count(prepared.outcomes.count, since: begin)
            return prepared.outcomes
        }

        /// Leaves no transaction open behind an error.
        private func orRollBack<Result>(
            _ connection: PostgresConnection,
            until deadline: Moment,
            _ body: () throws(PostgresError) -> Result
        ) throws(PostgresError) -> Result {
            do throws(PostgresError) {
                return try body()
            } catch {
                if !error.isLoss { _ = try connection.run(Statement("ROLLBACK"), until: deadline) }
                throw error
            }
        }

        /// Finds out what has become of a commit whose answer was lost.
        private func lookUp(_ transaction: WriteTransaction, _ loss: PostgresError, _ session: DatabaseSession) throws
            -> Bool
        {
            counting.value.withLock { $0.lookedUp += 1 }
            let deadline = Moment.now.advanced(by: GroupCommit.lookingUp)
            while true {
                do throws(PostgresError) {
                    return try session.with(until: deadline) { connection throws(PostgresError) in
                        try orRollBack(connection, until: deadline) { () throws(PostgresError) in
                            try transaction.wasCommitted(connection, until: deadline)
                        }
                    }
                } catch {
                    guard Moment.now < deadline else { throw WriteOutcomeUnknownError("\(loss)") }
                    session.rest(for: .milliseconds(100))
                }
            }
        }
    }
}
