import DeepLinkStoring
import Dispatch
import Foundation
import Synchronization

/// A thing that a ``DatabaseThread`` is to do.
protocol DatabaseJob: Sendable {
    /// When whoever waits for it is told that it is late.
    var deadline: Moment { get }

    /// Tells whoever waits for it that it was not done.
    func fail(_ error: any Error)
}

/// A thread that alone talks to the database, over a connection of its own, and to which others hand what they want.
///
/// It takes all that waits at once. What has waited beyond its deadline is told so, also while the thread itself waits for
/// the database.
final class DatabaseThread<Job: DatabaseJob>: Sendable {
    private let queue = JobQueue<Job>()
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, which works off what waits in batches of so many jobs at most.
    init(
        _ name: String,
        _ location: PostgresLocation,
        _ health: DatabaseHealth,
        batchSize: Int,
        _ work: @escaping @Sendable ([Job], DatabaseSession) -> Void
    ) {
        let thread = Thread { [queue, ended] in
            let session = DatabaseSession(location, health) { queue.expire() }
            while let jobs = queue.next(batchSize) { work(jobs, session) }
            session.drop()
            ended.signal()
        }
        thread.name = name
        thread.start()
    }

    /// Hands the thread a job.
    func hand(_ job: Job) { queue.append(job) }

    /// Ends the thread, after what it is at; what waits is told so.
    func close() {
        queue.close()
        ended.wait()
    }
}

/// The jobs that wait for a thread.
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

    /// Waits for jobs, and takes some; `nil` at the end.
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

    /// Tells the jobs whose time is over.
    func expire() {
        let now = Moment.now
        let late: [Job] = state.withLock { state in
            guard state.waiting.contains(where: { $0.deadline < now }) else { return [] }
            let late = state.waiting.filter { $0.deadline < now }
            state.waiting.removeAll { $0.deadline < now }
            return late
        }
        for job in late { job.fail(PostgresError.late) }
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
