package import DeepLinkCore
import Synchronization

/// A store of user states in memory until the process ends: for trying things out, and for tests.
package final class InMemoryUserStateStore: UserStateStore {
    private struct Contents {
        var states: [UserID: UserState] = [:]
        var history: [UserID: [UserChange]] = [:]

        mutating func note(
            _ grant: LevelGrant?,
            of id: UserID,
            at time: Timestamp,
            by author: String,
            _ limits: UserHistoryLimits
        ) -> Int {
            let version = (history[id]?.last?.version ?? 0) + 1
            history[id, default: []].append(UserChange(version: version, grant: grant, at: time, author: author))
            if let end = limits.end(oldest: history[id] ?? [], newest: version, at: time) {
                history[id]?.removeAll { $0.version <= end }
            }
            return version
        }
    }

    private let contents = Mutex(Contents())

    private let limits: UserHistoryLimits

    /// Creates an empty store.
    package init(historyLimits: UserHistoryLimits = UserHistoryLimits()) {
        limits = historyLimits
    }

    package func state(of id: UserID) throws -> UserState? {
        contents.withLock { $0.states[id] }
    }

    package func grant(of id: UserID) throws -> LevelGrant? { try state(of: id)?.grant }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        let all = contents.withLock { $0.states.values.map(\.self) }
        return Array(
            all.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
                .drop { state in id.map { !$0.text.utf8.lexicographicallyPrecedes(state.id.text.utf8) } ?? false }
                .prefix(limit)
        )
    }

    package func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        Array(contents.withLock { $0.history[id] ?? [] }.drop { $0.version <= version }.prefix(limit))
    }

    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try contents.withLock { contents in
            let existing = try Self.existing(write.id, write.precondition, in: contents)
            if let existing, existing.grant == write.grant { return SavedUserState(state: existing, isNew: false) }
            let version = contents.note(write.grant, of: write.id, at: write.time, by: write.author, limits)
            let state = UserState(id: write.id, grant: write.grant, version: version, updatedAt: write.time)
            contents.states[write.id] = state
            return SavedUserState(state: state, isNew: existing == nil)
        }
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        try contents.withLock { contents in
            guard try Self.existing(removal.id, removal.precondition, in: contents) != nil else { return false }
            contents.states[removal.id] = nil
            _ = contents.note(nil, of: removal.id, at: removal.time, by: removal.author, limits)
            return true
        }
    }

    package func checkUsable() throws {}

    private static func existing(
        _ id: UserID,
        _ precondition: UserStatePrecondition,
        in contents: Contents
    ) throws -> UserState? {
        let existing = contents.states[id]
        guard precondition.holds(for: existing?.version) else {
            throw UserStateWriteError.versionMismatch(current: existing?.version)
        }
        return existing
    }
}
