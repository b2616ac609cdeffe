package import DeepLinkCore
import Synchronization

/// Keeps who redeemed which continuation in memory, for tests.
package final class InMemoryContinuationStore: ContinuationStore {
    private struct Entry {
        let user: UserID
        let end: Timestamp
        var isSpent = false
    }

    private let entries = Mutex<[ContinuationID: Entry]>([:])

    /// Creates an empty store.
    package init() {}

    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding {
        entries.withLock { entries in
            entries = entries.filter { $0.value.end >= time }
            let entry = entries[id] ?? Entry(user: user, end: end)
            entries[id] = entry
            return entry.user != user ? .otherUser : entry.isSpent ? .spent : .open
        }
    }

    package func spend(_ id: ContinuationID) async throws -> Bool {
        entries.withLock { entries in
            guard entries[id]?.isSpent == false else { return false }
            entries[id]?.isSpent = true
            return true
        }
    }
}
