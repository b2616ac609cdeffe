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

    func requestEnded() { openRequests.subtract(1, ordering: .relaxed) }

    // MARK: Work

    /// Works on a request that has arrived whole.
    ///
    /// - Throws: ``Problem`` of code `overloaded` where too many are being worked on; what the body throws.
    func work<Result>(_ body: () async throws -> Result) async throws -> Result {
        let before = work.add(1, ordering: .relaxed).oldValue
        defer { work.subtract(1, ordering: .relaxed) }
        guard before < maximumWork else { throw Problem.overloaded }
        return try await body()
    }
}
