package import DeepLinkCore
import Synchronization

/// A memory of who redeemed which continuation in memory, for tests.
package final class InMemoryContinuationStore: ContinuationStore {
    private struct Entry {
        /// Who bound it; `nil` for somebody who was erased.
        var user: UserID?
        let end: Timestamp
        var isSpent = false
    }

    private struct Contents {
        var entries: [ContinuationID: Entry] = [:]

        /// The latest end of what was forgotten.
        var forgottenUntil: Timestamp?
    }

    private let contents = Mutex(Contents())

    /// Creates an empty store.
    package init() {}

    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding {
        contents.withLock { contents in
            let ended = contents.entries.filter { $0.value.end < time }
            for id in ended.keys { contents.entries[id] = nil }
            contents.forgottenUntil = (ended.values.map(\.end) + [contents.forgottenUntil].compactMap(\.self)).max()
            if let forgotten = contents.forgottenUntil, end <= forgotten { return .expired }
            let entry = contents.entries[id] ?? Entry(user: user, end: end)
            contents.entries[id] = entry
            guard entry.user == user else { return entry.isSpent ? .spent : .otherUser }
            return entry.isSpent ? .granted : .open
        }
    }

    /// Forgets who bound continuations; they stay bound, to nobody.
    package func unbind(_ user: UserID) {
        contents.withLock { contents in
            for (id, entry) in contents.entries where entry.user == user { contents.entries[id]?.user = nil }
        }
    }

    package func spend(_ id: ContinuationID) async throws -> Bool {
        contents.withLock { contents in
            guard contents.entries[id]?.isSpent == false else { return false }
            contents.entries[id]?.isSpent = true
            return true
        }
    }
}
