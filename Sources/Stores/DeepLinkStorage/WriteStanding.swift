import Synchronization

/// Whether a store accepts changes, by the outcome of the last one.
///
/// A change that is refused for its own sake says nothing about the store, and isn't recorded.
package final class WriteStanding: Sendable {
    private let isRefusing = Atomic(false)

    /// Creates a standing of a store that accepts changes.
    package init() {}

    /// Whether the last change failed: the disk is full, or the database out of reach.
    package var refuses: Bool { isRefusing.load(ordering: .relaxed) }

    /// Records that changes were committed.
    package func noteSuccess() {
        if refuses { isRefusing.store(false, ordering: .relaxed) }
    }

    /// Records that changes could not be committed.
    package func noteFailure() { isRefusing.store(true, ordering: .relaxed) }
}
