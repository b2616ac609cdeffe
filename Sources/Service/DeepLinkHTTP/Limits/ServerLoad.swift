import DeepLinkFormats
import Synchronization

/// The server's load in numbers, and whether it was asked to stop.
package final class ServerLoad: Sendable {
    private let openConnections = Atomic(0)
    private let openRequests = Atomic(0)
    private let work = Atomic(0)
    private let draining = Atomic(false)
    private let refusals: LimitRefusals

    /// The maximum number of requests that are worked on at the same time.
    package let maximumWork: Int

    /// The bytes of requests that are still arriving.
    package let arriving: ByteBudget

    /// The time that a stream of lines may last.
    let maximumStreamDuration: Duration

    /// Creates counts of zero.
    ///
    /// - Parameters:
    ///   - maximumWork: the maximum number of requests that are worked on at the same time.
    ///   - maximumArrivingBytes: the maximum number of bytes of requests that are kept while their rest is awaited.
    ///   - maximumStreamDuration: the time that a stream of lines may last.
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

    /// Whether the server was asked to stop: it finishes the requests that have begun, and reports that it is not
    /// ready.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Notes that the server was asked to stop.
    package func drain() { draining.store(true, ordering: .relaxed) }

    // MARK: Requests

    /// The number of requests that have begun to arrive and are not answered yet.
    package var openRequestCount: Int { openRequests.load(ordering: .relaxed) }

    func requestBegan() { openRequests.add(1, ordering: .relaxed) }

    func requestEnded() { requestsEnded(1) }

    func requestsEnded(_ count: Int) { openRequests.subtract(count, ordering: .relaxed) }

    // MARK: Work

    /// The number of requests that are worked on now.
    package var workCount: Int { work.load(ordering: .relaxed) }

    /// Works on a request that has arrived whole.
    ///
    /// - Throws: `Problem` of code `overloaded` if too many are being worked on; the errors of the body.
    func work<Result>(_ body: () async throws -> Result) async throws -> Result {
        try workBegan()
        defer { workEnded() }
        return try await body()
    }

    /// Works on a request that has arrived whole, and is answered without waiting.
    ///
    /// - Throws: `Problem` of code `overloaded` if too many are being worked on; the errors of the body.
    func workAtOnce<Result>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        try workBegan()
        defer { workEnded() }
        return try body()
    }

    /// Begins to work on a request; ``workEnded()`` must follow.
    ///
    /// - Throws: `Problem` of code `overloaded` if too many are being worked on.
    func workBegan() throws(Problem) {
        guard work.add(1, ordering: .relaxed).oldValue < maximumWork else {
            workEnded()
            refusals.note(.requests)
            throw .overloaded
        }
    }

    /// Ends the work on a request.
    func workEnded() { work.subtract(1, ordering: .relaxed) }
}
