import DeepLinkStorage
import Dispatch
import Foundation
import Synchronization

/// A job for a ``DatabaseThread``.
protocol DatabaseJob: Sendable {
    /// The deadline after which the caller gets an error.
    var deadline: MonotonicInstant { get }

    /// Reports to the caller that the job was not done.
    func fail(_ error: any Error)
}

/// A thread with exclusive use of a database connection, which runs jobs of other threads.
///
/// It takes all waiting jobs at once. Jobs that wait beyond their deadlines fail on time, even while the thread itself
/// waits for the database.
final class DatabaseThread<Job: DatabaseJob>: Sendable {
    private let queue = JobQueue<Job>()
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, which runs waiting jobs in batches of limited size.
    init(
        _ name: String,
        location: PostgresLocation,
        health: DatabaseHealth,
        batchSize: Int,
        work: @escaping @Sendable ([Job], DatabaseSession) -> Void
    ) {
        let thread = Thread { [queue, ended] in
            let session = DatabaseSession(location, health: health) { queue.expire(with: $0) }
            while let jobs = queue.next(batchSize) { work(jobs, session) }
            session.drop()
            ended.signal()
        }
        thread.name = name
        thread.start()
    }

    /// Adds a job to the queue.
    func enqueue(_ job: Job) { queue.append(job) }

    /// Ends the thread after the current batch.
    ///
    /// Waiting jobs fail.
    func close() {
        queue.close()
        ended.wait()
    }
}

/// The queue of jobs for a thread.
private final class JobQueue<Job: DatabaseJob>: Sendable {
    private struct State {
        var waiting: [Job] = []
        var isIdle = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)

    func append(_ job: Job) {
        let (isTaken, mustRing) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(job)
            defer { state.isIdle = false }
            return (true, state.isIdle)
        }
        if !isTaken { job.fail(PostgresError.closed) }
        if mustRing { bell.signal() }
    }

    /// Waits for jobs and returns some of them, or `nil` at the end.
    func next(_ count: Int) -> [Job]? {
        while true {
            let taken: [Job]? = state.withLock { state in
                guard !state.isClosed else { return nil }
                let jobs = Array(state.waiting.prefix(count))
                state.waiting.removeFirst(jobs.count)
                state.isIdle = jobs.isEmpty
                return jobs
            }
            guard let taken else { return nil }
            guard taken.isEmpty else { return taken }
            bell.wait()
        }
    }

    /// Fails the jobs that are past their deadlines.
    func expire(with error: PostgresError) {
        let now = MonotonicInstant.now
        let late: [Job] = state.withLock { state in
            guard state.waiting.contains(where: { $0.deadline < now }) else { return [] }
            let late = state.waiting.filter { $0.deadline < now }
            state.waiting.removeAll { $0.deadline < now }
            return late
        }
        for job in late { job.fail(error) }
    }

    func close() {
        let left: [Job] = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in left { job.fail(PostgresError.closed) }
        bell.signal()
    }
}
