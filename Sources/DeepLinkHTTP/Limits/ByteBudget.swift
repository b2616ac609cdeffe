import Synchronization

/// The bytes of requests that are kept while their rest is awaited, counted over all connections.
///
/// A connection is cheap for a client to open and to leave half finished: without a common bound, ten thousand of them
/// could each keep the largest body.
package final class ByteBudget: Sendable {
    /// How many bytes may be kept where nothing is set: 64 MiB.
    package static let defaultLimit = 64 << 20

    private let limit: Int
    private let taken = Atomic(0)

    /// Creates a budget of which nothing is taken.
    package init(limit: Int = defaultLimit) {
        self.limit = limit
    }

    /// How many bytes are kept now.
    package var takenCount: Int { taken.load(ordering: .relaxed) }

    /// Takes bytes, unless that would be more than there are.
    ///
    /// - Returns: whether they are taken; then ``giveBack(_:)`` must follow.
    func take(_ count: Int) -> Bool {
        if taken.add(count, ordering: .relaxed).newValue <= limit { return true }
        giveBack(count)
        return false
    }

    /// Gives bytes back that are no longer kept.
    func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}
