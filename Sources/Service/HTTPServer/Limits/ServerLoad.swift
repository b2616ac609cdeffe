import Synchronization

/// The server's load in numbers, and whether it was asked to stop.
package final class ServerLoad: Sendable {
    private let openConnections = Atomic(0)
    private let openRequests = Atomic(0)
    private let work = Atomic(0)
    private let draining = Atomic(false)
    private let noteRefusal: @Sendable (ServerLimit) -> Void

    /// The maximum number of requests processed at the same time.
    package let maximumWork: Int

    /// The buffered bytes of requests that are still arriving.
    package let arriving: ByteBudget

    /// The maximum duration of a stream of lines.
    package let maximumStreamDuration: Duration

    /// Creates counts of zero.
    ///
    /// - Parameters:
    ///   - maximumWork: the maximum number of requests processed at the same time.
    ///   - maximumArrivingBytes: the maximum number of buffered bytes of requests that are still arriving.
    ///   - maximumStreamDuration: the maximum duration of a stream of lines.
    ///   - noteRefusal: the function called for each request that these limits refuse.
    package init(
        maximumWork: Int,
        maximumArrivingBytes: Int = ByteBudget.defaultLimit,
        maximumStreamDuration: Duration = .seconds(600),
        notingRefusals noteRefusal: @escaping @Sendable (ServerLimit) -> Void = { _ in }
    ) {
        self.maximumWork = maximumWork
        self.maximumStreamDuration = maximumStreamDuration
        self.noteRefusal = noteRefusal
        arriving = ByteBudget(limit: maximumArrivingBytes, notingRefusals: noteRefusal)
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

    /// Begins to process a request that has arrived completely, unless too many requests are being processed.
    ///
    /// - Returns: whether it is processed. If so, ``workEnded()`` must follow.
    package func beginsWork() -> Bool {
        if work.add(1, ordering: .relaxed).oldValue < maximumWork { return true }
        workEnded()
        noteRefusal(.requests)
        return false
    }

    /// Ends the processing of a request.
    package func workEnded() { work.subtract(1, ordering: .relaxed) }
}

/// A limit of the server, which refuses requests.
package enum ServerLimit: Sendable {
    /// The number of requests processed at the same time.
    case requests

    /// The bytes of arriving requests, across all connections.
    case bytes
}

/// The limit for buffered bytes of requests that are still arriving, across all connections.
///
/// A connection is cheap for a client to open and to leave half finished. Without a common limit, ten thousand
/// connections could each buffer the largest body.
package final class ByteBudget: Sendable {
    /// The default limit, in bytes: 64 MiB.
    package static let defaultLimit = 64 << 20

    /// The maximum number of buffered bytes.
    package let limit: Int

    private let noteRefusal: @Sendable (ServerLimit) -> Void

    /// The current number of buffered bytes.
    let taken = Atomic(0)

    /// The current number of buffered bytes.
    package var takenCount: Int { taken.load(ordering: .relaxed) }

    /// Creates an unused budget, and calls a function for each request that it refuses.
    package init(
        limit: Int = defaultLimit,
        notingRefusals noteRefusal: @escaping @Sendable (ServerLimit) -> Void = { _ in }
    ) {
        self.limit = limit
        self.noteRefusal = noteRefusal
    }

    /// Takes bytes from the budget, unless they exceed it.
    ///
    /// - Returns: whether they are taken. If so, ``giveBack(_:)`` must follow.
    package func take(_ count: Int) -> Bool {
        if taken.add(count, ordering: .relaxed).newValue <= limit { return true }
        giveBack(count)
        noteRefusal(.bytes)
        return false
    }

    /// Returns bytes to the budget once they are no longer buffered.
    func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

/// The part of a ``ByteBudget`` taken by one body or connection.
///
/// It is returned when that ends.
package struct ReservedBytes: ~Copyable {
    private let budget: ByteBudget
    private var count = 0

    /// Creates a count of zero.
    package init(of budget: ByteBudget) {
        self.budget = budget
    }

    deinit { budget.giveBack(count) }

    /// Sets the number of buffered bytes.
    ///
    /// - Returns: whether it is within the limit of all connections together. If not, the count is unchanged.
    package mutating func become(_ newCount: Int) -> Bool {
        guard newCount != count else { return true }
        if newCount > count {
            guard budget.take(newCount - count) else { return false }
        } else {
            budget.giveBack(count - newCount)
        }
        count = newCount
        return true
    }
}
