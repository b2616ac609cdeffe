import DeepLinkFormats
import Synchronization

/// The server's load in numbers, and whether it was asked to stop.
package final class ServerLoad: Sendable {
    private let openConnections = Atomic(0)
    private let openRequests = Atomic(0)
    private let work = Atomic(0)
    private let draining = Atomic(false)
    private let refusals: LimitRefusals

    /// The maximum number of requests processed at the same time.
    package let maximumWork: Int

    /// The buffered bytes of requests that are still arriving.
    package let arriving: ByteBudget

    /// The maximum duration of a stream of lines.
    let maximumStreamDuration: Duration

    /// Creates counts of zero.
    ///
    /// - Parameters:
    ///   - maximumWork: the maximum number of requests processed at the same time.
    ///   - maximumArrivingBytes: the maximum number of buffered bytes of requests that are still arriving.
    ///   - maximumStreamDuration: the maximum duration of a stream of lines.
    ///   - refusals: the counts of requests that these limits refuse.
    package init(
        maximumWork: Int,
        maximumArrivingBytes: Int = ByteBudget.defaultLimit,
        maximumStreamDuration: Duration = .seconds(600),
        refusals: LimitRefusals = LimitRefusals()
    ) {
        self.maximumWork = maximumWork
        self.maximumStreamDuration = maximumStreamDuration
        self.refusals = refusals
        arriving = ByteBudget(limit: maximumArrivingBytes, refusals: refusals)
    }

    // MARK: Connections

    /// The number of open connections.
    package var openConnectionCount: Int { openConnections.load(ordering: .relaxed) }

    func connectionOpened() { openConnections.add(1, ordering: .relaxed) }

    func connectionClosed() { openConnections.subtract(1, ordering: .relaxed) }

    // MARK: Draining

    /// Whether the server was asked to stop.
    ///
    /// It then finishes the requests that have begun, and reports that it is not ready.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Records that the server was asked to stop.
    package func drain() { draining.store(true, ordering: .relaxed) }

    // MARK: Requests

    /// The number of requests that have begun to arrive and are not answered yet.
    package var openRequestCount: Int { openRequests.load(ordering: .relaxed) }

    func requestBegan() { openRequests.add(1, ordering: .relaxed) }

    func requestEnded() { requestsEnded(1) }

    func requestsEnded(_ count: Int) { openRequests.subtract(count, ordering: .relaxed) }

    // MARK: Work

    /// The number of requests being processed.
    package var workCount: Int { work.load(ordering: .relaxed) }

    /// Processes a request that has arrived completely.
    ///
    /// - Throws: `Problem` with the code `overloaded` if too many requests are being processed, or the errors of the
    ///   body.
    func work<Result>(_ body: () async throws -> Result) async throws -> Result {
        try workBegan()
        defer { workEnded() }
        return try await body()
    }

    /// Processes a request that has arrived completely, without suspending.
    ///
    /// - Throws: `Problem` with the code `overloaded` if too many requests are being processed, or the errors of the
    ///   body.
    func workAtOnce<Result>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        try workBegan()
        defer { workEnded() }
        return try body()
    }

    /// Begins to process a request.
    ///
    /// ``workEnded()`` must follow.
    ///
    /// - Throws: `Problem` with the code `overloaded` if too many requests are being processed.
    func workBegan() throws(Problem) {
        guard work.add(1, ordering: .relaxed).oldValue < maximumWork else {
            workEnded()
            refusals.note(.requests)
            throw .overloaded
        }
    }

    /// Ends the processing of a request.
    func workEnded() { work.subtract(1, ordering: .relaxed) }
}
