import Synchronization

/// Counts what the server has to do, and tells when it is asked to stop.
package final class ServerLoad: Sendable {
    private let openRequests = Atomic(0)
    private let work = Atomic(0)
    private let draining = Atomic(false)
    private let maximumWork: Int

    /// Creates counts of zero; `maximumWork` requests may be worked on at the same time.
    package init(maximumWork: Int) {
        self.maximumWork = maximumWork
    }

    // MARK: Draining

    /// Whether the server was asked to stop: it finishes what has begun, and says that it is not ready.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Notes that the server was asked to stop.
    package func drain() { draining.store(true, ordering: .relaxed) }

    // MARK: Requests

    /// How many requests have begun to arrive and are not yet answered.
    package var openRequestCount: Int { openRequests.load(ordering: .relaxed) }

    func requestBegan() { openRequests.add(1, ordering: .relaxed) }

    func requestEnded() { requestsEnded(1) }

    func requestsEnded(_ count: Int) { openRequests.subtract(count, ordering: .relaxed) }

    // MARK: Work

    /// Works on a request that has arrived whole.
    ///
    /// - Throws: ``Problem`` of code `overloaded` where too many are being worked on; what the body throws.
    func work<Result>(_ body: () async throws -> Result) async throws -> Result {
        try workBegan()
        defer { workEnded() }
        return try await body()
    }

    /// Works on a request that has arrived whole, and is answered without waiting for anything.
    ///
    /// - Throws: ``Problem`` of code `overloaded` where too many are being worked on; what the body throws.
    func workAtOnce<Result>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        try workBegan()
        defer { workEnded() }
        return try body()
    }

    private func workBegan() throws(Problem) {
        guard work.add(1, ordering: .relaxed).oldValue < maximumWork else {
            workEnded()
            throw .overloaded
        }
    }

    private func workEnded() { work.subtract(1, ordering: .relaxed) }
}
