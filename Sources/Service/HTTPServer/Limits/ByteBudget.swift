import Synchronization

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
package struct KeptBytes: ~Copyable {
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
