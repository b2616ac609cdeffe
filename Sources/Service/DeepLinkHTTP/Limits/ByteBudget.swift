import Synchronization

/// The limit of the bytes of requests that are kept while their rest is awaited, over all connections.
///
/// A connection is cheap for a client to open and to leave half finished: without a common limit, ten thousand of them
/// could each keep the largest body.
package final class ByteBudget: Sendable {
    /// The default limit, in bytes: 64 MiB.
    package static let defaultLimit = 64 << 20

    /// The most bytes that may be kept.
    package let limit: Int

    private let refusals: LimitRefusals

    /// The number of bytes that are kept now.
    let taken = Atomic(0)

    /// The number of bytes that are kept now.
    package var takenCount: Int { taken.load(ordering: .relaxed) }

    /// Creates a budget that is unused.
    package init(limit: Int = defaultLimit, refusals: LimitRefusals = LimitRefusals()) {
        self.limit = limit
        self.refusals = refusals
    }

    /// Takes bytes, unless that would be more than there are.
    ///
    /// - Returns: whether they are taken; then ``giveBack(_:)`` must follow.
    func take(_ count: Int) -> Bool {
        if taken.add(count, ordering: .relaxed).newValue <= limit { return true }
        giveBack(count)
        refusals.note(.bytes)
        return false
    }

    /// Returns bytes to the budget that are no longer kept.
    func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}
