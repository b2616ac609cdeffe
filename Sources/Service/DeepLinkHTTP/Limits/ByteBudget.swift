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

/// The part of a ``ByteBudget`` that one body, or one connection, has taken, which is returned when it ends.
struct KeptBytes: ~Copyable {
    private let budget: ByteBudget
    private var count = 0

    /// Creates a count of no bytes.
    init(of budget: ByteBudget) {
        self.budget = budget
    }

    deinit { budget.giveBack(count) }

    /// Sets the number of bytes that are kept, more or fewer than before.
    ///
    /// - Returns: whether that is within the limit of all connections together; otherwise the count is unchanged.
    mutating func become(_ newCount: Int) -> Bool {
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
