import DeepLinkCore
package import DeepLinkStorage
package import DeepLinkUsers
import Synchronization

/// A store of user states and continuations in memory until the process ends, for tests: one ledger that is never written.
package final class InMemoryUserStateStore: LedgerStore, AuditNameStore {
    private let ledger = Mutex(WriteLedger())

    private let limits: UserHistoryLimits

    /// Creates an empty store.
    package init(historyLimits: UserHistoryLimits = UserHistoryLimits()) {
        limits = historyLimits
    }

    package func make(_ change: StoreChange) async throws -> StoreChangeOutcome {
        ledger.withLock { ledger in
            if case .bind = change { ledger.redemptions.offerAll() }
            let outcome = ledger.apply(change)
            for id in change.users { ledger.users[id]?.prune(limits) }
            return outcome
        }
    }

    package func state(of id: UserID) throws -> UserState? {
        ledger.withLock { $0.users[id]?.state(of: id) }
    }

    package func access(of id: UserID) throws -> UserAccess? { try state(of: id)?.access }

    package func accessAtHand(of id: UserID, atLeast version: Int) throws -> AccessLookup? {
        ledger.withLock { ledger in
            let user = ledger.users[id]
            return AccessLookup(user?.access, version: user?.last?.version ?? 0, wanted: version)
        }
    }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        let all = ledger.withLock { $0.users.compactMap { id, user in user.state(of: id) } }
        return Array(
            all.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
                .drop { state in id.map { !$0.text.utf8.lexicographicallyPrecedes(state.id.text.utf8) } ?? false }
                .prefix(limit)
        )
    }

    package func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        let changes = ledger.withLock { $0.users[id]?.changes ?? [] }
        return changes.drop { $0.version <= version }.prefix(limit).map(\.self)
    }

    package func answer(to request: RepeatableRequest) throws -> KeptAnswer? {
        ledger.withLock { $0.answers.answer(to: request) }
    }

    package func auditName(of id: UserID) throws -> AuditName? { ledger.withLock { $0.auditNames.existing(of: id) } }

    package func users(named names: [AuditName]) throws -> [AuditName: UserID] {
        ledger.withLock { $0.auditNames.users(named: Set(names)) }
    }

    package func checkUsable() throws {}
}
