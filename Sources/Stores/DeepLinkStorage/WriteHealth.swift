import Synchronization

/// Whether a store accepts changes, judged by the outcome of the last one.
///
/// A change that is refused for its contents says nothing about the store, and isn't recorded.
package final class WriteHealth: Sendable {
    private let isRefusing = Atomic(false)

    /// Creates the status of a store that accepts changes.
    package init() {}

    /// Whether the last change failed, because the disk is full or the database is unreachable.
    package var refuses: Bool { isRefusing.load(ordering: .relaxed) }

    /// Records that changes were committed.
    package func noteSuccess() {
        if refuses { isRefusing.store(false, ordering: .relaxed) }
    }

    /// Records that changes could not be committed.
    package func noteFailure() { isRefusing.store(true, ordering: .relaxed) }
}

/// The limits of a transaction of changes that arrive together.
package enum WriteBatch {
    /// The maximum total size of the changes in one transaction.
    ///
    /// A larger one would delay the first of them.
    package static let maximumSize = 1024

    /// Returns the first waiting changes for one transaction: as many as fit, but at least one of any size.
    package static func first<Changes: Collection>(
        of waiting: Changes,
        size: (Changes.Element) -> Int
    ) -> Changes.SubSequence {
        var total = 0
        return waiting.prefix { change in
            let isFirst = total == 0
            total += max(size(change), 1)
            return isFirst || total <= maximumSize
        }
    }
}

/// A store that refuses changes after a failure, and accepts them again once it is usable.
package protocol WriteRetrying: Sendable {
    /// Accepts changes again if they are refused and the store is usable.
    func retryWriting() async
}

extension WriteRetrying {
    /// Retries every second until cancelled, so that a store accepts changes again without a restart.
    package func keepRetryingWrites() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { await retryWriting() }
    }
}
